#include "perigee/console/outgoing.hpp"

#include <algorithm>

namespace perigee::console {

bool OutgoingQueue::push(Micros now_us, OutgoingMessage message) {
  if (messages_.empty()) progress_us_ = now_us;
  if (message.kind != 0) {
    const auto waiting = std::ranges::find(messages_, message.kind, &OutgoingMessage::kind);
    if (waiting != messages_.end()) {
      bytes_ -= waiting->bytes->size();
      messages_.erase(waiting);
    }
  }
  if (bytes_ + message.bytes->size() > message.waiting_bytes_max) return false;
  bytes_ += message.bytes->size();
  messages_.push_back(std::move(message));
  return true;
}

std::optional<OutgoingMessage> OutgoingQueue::pop(Micros now_us) {
  if (messages_.empty()) return std::nullopt;
  progress_us_ = now_us;
  OutgoingMessage message = std::move(messages_.front());
  messages_.pop_front();
  bytes_ -= message.bytes->size();
  return message;
}

bool OutgoingQueue::stuck(Micros now_us) const {
  return !messages_.empty() && now_us - progress_us_ > stuck_us_max;
}

}  // namespace perigee::console
