#include "perigee/netcode/playout_buffer.hpp"

#include <utility>

namespace perigee {

Offer PlayoutBuffer::offer(const PlayerInput& input) {
  if (!started_) {
    started_ = true;
    next_ = input.tick - delay_ticks;
  }
  const std::int32_t ahead = ticks_between(next_, input.tick);
  if (ahead < 0) return Offer::Late;  // K12: never applied out of order
  if (ahead >= static_cast<std::int32_t>(capacity_ticks)) return Offer::TooEarly;
  const auto* slot = waiting_.find(input.tick);
  if (slot != nullptr && *slot) return Offer::Duplicate;  // K14
  waiting_.claim(input.tick) = input;                     // K11: the tick is its place
  return Offer::Stored;
}

std::optional<PlayerInput> PlayoutBuffer::take() {
  if (!started_) return std::nullopt;
  const Tick now = next_;
  ++next_;
  auto* slot = waiting_.find(now);
  if (slot != nullptr && *slot) {
    const PlayerInput input = *std::exchange(*slot, std::nullopt);
    held_ = input;
    repeated_ticks_ = 0;
    return input;
  }
  if (!held_) return std::nullopt;
  if (++repeated_ticks_ > repeat_ticks_max) {
    held_.reset();  // K15: silence this long means that nobody is steering
    return std::nullopt;
  }
  return held(*held_, now);  // K13: a held key stays held across a lost packet
}

std::optional<Tick> PlayoutBuffer::next() const {
  return started_ ? std::optional(next_) : std::nullopt;
}

}  // namespace perigee
