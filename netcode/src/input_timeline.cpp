#include "perigee/netcode/input_timeline.hpp"

namespace perigee {

InputOffer InputTimeline::offer(const PlayerInput& input, Tick next) {
  const std::int32_t ahead = ticks_between(next, input.tick);
  if (ahead > settings_.ahead_ticks_max) return InputOffer::TooEarly;
  Slot* slot = slots_.find(input.tick);
  if (slot != nullptr && slot->real) return InputOffer::Duplicate;
  if (ahead < -settings_.window_ticks) return InputOffer::TooLate;
  if (ahead < 0 && slot == nullptr) return InputOffer::TooLate;  // before the player's first tick
  Slot& filed = slots_.claim(input.tick);
  filed.input = input;
  filed.real = true;
  if (ahead >= 0) {
    filed.used = false;
    return InputOffer::Waiting;
  }
  return InputOffer::Rewind;
}

PlayerInput InputTimeline::guess(Tick tick) const {
  // The newest real input before the gap keeps the stick where it was (K13), but not for ever
  // (K15).
  for (std::int32_t back = 1; back < static_cast<std::int32_t>(ring_ticks) / 2; ++back) {
    const Slot* slot = slots_.find(tick - back);
    if (slot == nullptr) break;
    if (!slot->real) continue;
    return back <= settings_.repeat_ticks_max ? held(slot->input, tick)
                                              : neutral(slot->input, tick);
  }
  return neutral(PlayerInput{}, tick);
}

InputTimeline::Use InputTimeline::take(Tick tick) {
  if (!first_) first_ = tick;
  Slot* slot = slots_.find(tick);
  if (slot != nullptr && slot->real) {
    slot->used = true;
    if (!last_applied_ || before(*last_applied_, tick)) last_applied_ = tick;
    return {slot->input, false};
  }
  const PlayerInput guessed = guess(tick);
  slots_.claim(tick) = {guessed, false, true};
  return {guessed, true};
}

Tick InputTimeline::final_before(Tick next) const {
  const std::int32_t window = settings_.window_ticks;
  Tick oldest_open = next - window;
  if (first_ && before(oldest_open, *first_)) oldest_open = *first_;
  for (Tick t = oldest_open; before(t, next); ++t) {
    const Slot* slot = slots_.find(t);
    if (slot == nullptr || !slot->real) return t;
  }
  return next;
}

void InputTimeline::reset(Tick next) {
  slots_.clear();
  last_applied_.reset();
  first_ = next;
}

}  // namespace perigee
