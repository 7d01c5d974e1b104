#include "perigee/client/messages.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "perigee/base/wire_client.hpp"

namespace perigee::client {
namespace {

constexpr Micros patience_us_min = 150'000;
Micros patience_us(Micros rtt_us) { return std::max(2 * rtt_us, patience_us_min); }

}  // namespace

void Messages::begin(std::uint32_t name) {
  *this = {};
  name_ = name;
}

void Messages::greet_again() {
  greet_ = true;
  confirmed_ = false;
}

MessageRefusal Messages::send(std::span<const std::byte> message) {
  if (!is_message_size(message.size())) return MessageRefusal::Size;
  if (unheard_.size() >= messages_waiting_max) return MessageRefusal::Full;
  unheard_.emplace_back(message.begin(), message.end());
  return MessageRefusal::None;
}

std::optional<MessageBytes> Messages::take() {
  if (untaken_.empty()) return std::nullopt;
  MessageBytes message = std::move(untaken_.front());
  untaken_.pop_front();
  return message;
}

// Messages that find no room here are not acknowledged, so the worker keeps them.
bool Messages::on_frame(std::span<const std::byte> bytes) {
  MessageFrame frame;
  if (!read_messages(worker_message_kind, bytes, frame)) return false;
  if (frame.conversation != name_) return true;  // a late one
  if (!std::exchange(confirmed_, true)) pace_.restart(first_);
  const std::int32_t heard = messages_between(first_, frame.received);
  for (std::int32_t n = 0; n < heard && !unheard_.empty(); ++n) {
    unheard_.pop_front();
    ++first_;
  }
  if (messages_between(sent_, first_) > 0) sent_ = first_;
  for (const auto& message : frame.messages) {
    const std::uint32_t number = frame.first++;
    if (number != received_ || untaken_.size() >= messages_waiting_max) continue;
    untaken_.emplace_back(message.begin(), message.end());
    ++received_;
  }
  if (!frame.messages.empty()) pace_.owe_answer();
  return true;
}

MessageFrame Messages::next_frame(Micros now_us, Micros rtt_us) const {
  MessageFrame frame{name_, received_, first_, {}, sent_, greets(now_us, rtt_us)};
  if (!confirmed_) return frame;
  for (const MessageBytes& message : unheard_) {
    if (!add_message(frame, message)) break;
  }
  return frame;
}

bool Messages::greets(Micros now_us, Micros rtt_us) const {
  if (greet_ || !greeted_us_) return true;
  return now_us - *greeted_us_ >= (confirmed_ ? greeting_us : patience_us(rtt_us));
}

bool Messages::due(Micros now_us, Micros rtt_us) const {
  if (greets(now_us, rtt_us)) return true;
  if (!confirmed_) return false;
  const auto end = first_ + static_cast<std::uint32_t>(next_frame(now_us, rtt_us).messages.size());
  return pace_.due(now_us, first_, end, patience_us(rtt_us));
}

bool Messages::write(FrameWriter& frames, Micros now_us, Micros rtt_us) {
  const MessageFrame frame = next_frame(now_us, rtt_us);
  std::array<std::byte, MessageFrame::bytes_max> bytes;
  const auto kind = static_cast<std::uint8_t>(ClientFrame::Message);
  if (!frames.add(stream_owner, write_messages(kind, frame, bytes))) return false;
  const std::uint32_t end = first_ + static_cast<std::uint32_t>(frame.messages.size());
  pace_.sent(now_us, first_, end);
  if (messages_between(sent_, end) > 0) sent_ = end;
  if (frame.asks) greeted_us_ = now_us;
  greet_ = false;
  return true;
}

}  // namespace perigee::client
