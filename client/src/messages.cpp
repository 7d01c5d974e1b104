#include "perigee/client/messages.hpp"

#include <array>

#include "perigee/base/wire_client.hpp"

namespace perigee::client {
namespace {

constexpr Micros patience_us_min = 150'000;

}  // namespace

void Messages::begin(std::uint32_t name) {
  *this = {};
  name_ = name;
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
  const std::int32_t heard = messages_between(first_, frame.received);
  for (std::int32_t n = 0; n < heard && !unheard_.empty(); ++n) {
    unheard_.pop_front();
    ++first_;
  }
  for (const auto& message : frame.messages) {
    const std::uint32_t number = frame.first++;
    if (number != received_ || untaken_.size() >= messages_waiting_max) continue;
    untaken_.emplace_back(message.begin(), message.end());
    ++received_;
  }
  if (!frame.messages.empty()) pace_.owe_answer();
  return true;
}

/// The number after the last message of the next frame.
std::uint32_t Messages::sendable_end() const {
  MessageFrame frame;
  for (const MessageBytes& message : unheard_) {
    if (!add_message(frame, message)) break;
  }
  return first_ + static_cast<std::uint32_t>(frame.messages.size());
}

bool Messages::due(Micros now_us, Micros rtt_us) const {
  const auto& sent_us = pace_.sent_at_us();
  const bool greets = greet_ || !sent_us || now_us - *sent_us >= greeting_us;
  return greets || pace_.due(now_us, first_, sendable_end(), std::max(2 * rtt_us, patience_us_min));
}

bool Messages::write(FrameWriter& frames, Micros now_us) {
  MessageFrame frame{name_, received_, first_, {}};
  for (const MessageBytes& message : unheard_) {
    if (!add_message(frame, message)) break;
  }
  std::array<std::byte, MessageFrame::bytes_max> bytes;
  const auto kind = static_cast<std::uint8_t>(ClientFrame::Message);
  if (!frames.add(stream_owner, write_messages(kind, frame, bytes))) return false;
  pace_.sent(now_us, first_, first_ + static_cast<std::uint32_t>(frame.messages.size()));
  greet_ = false;
  return true;
}

}  // namespace perigee::client
