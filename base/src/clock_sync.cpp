#include "perigee/base/clock_sync.hpp"

#include <algorithm>
#include <cstdlib>

namespace perigee {

bool ClockSync::add(const ClockSample& sample) {
  const Micros round_trip_us = sample.answered_us - sample.asked_us;
  if (round_trip_us < 0 || (count_ > 0 && sample.answered_us < anchor_local_us_)) return false;
  // The directory answered somewhere between the two local times: the middle is the best guess.
  const Micros middle_us = sample.asked_us + round_trip_us / 2;
  kept_[count_ % samples_kept] = {round_trip_us, sample.directory_us - middle_us};
  ++count_;

  const auto end = kept_.begin() + static_cast<std::ptrdiff_t>(std::min(count_, samples_kept));
  const auto shorter = [](const Kept& a, const Kept& b) {
    return a.round_trip_us < b.round_trip_us;
  };
  const Kept newest = kept_[(count_ - 1) % samples_kept];
  Kept best = *std::min_element(kept_.begin(), end, shorter);
  const bool jumped =
      std::abs(newest.offset_us - best.offset_us) > jump_us + newest.round_trip_us / 2;
  if (jumped) {  // the directory's clock was set: older samples no longer apply
    kept_[0] = best = newest;
    count_ = 1;
  }

  const Micros offset_now_us = offset_us(sample.answered_us);
  anchor_local_us_ = sample.answered_us;
  anchor_offset_us_ = offset_now_us;
  target_offset_us_ = best.offset_us;
  error_us_ = (best.round_trip_us + 1) / 2;
  if (!locked_) {
    anchor_offset_us_ = target_offset_us_;
    locked_ = error_us_ <= error_us_max;
  } else if (jumped || std::abs(target_offset_us_ - anchor_offset_us_) > jump_us) {
    anchor_offset_us_ = target_offset_us_;
    ++jumps_;
  }
  return true;
}

Micros ClockSync::offset_us(Micros local_us) const {
  const Micros slew_us =
      std::max<Micros>(0, local_us - anchor_local_us_) * slew_ppm_max / 1'000'000;
  const Micros left_us = target_offset_us_ - anchor_offset_us_;
  return anchor_offset_us_ + std::clamp(left_us, -slew_us, slew_us);
}

Micros ClockSync::local_us(Micros directory_us) const {
  // The offset changes by at most 500 ppm, so the second step is exact to a microsecond for times
  // within seconds of the first guess.
  const Micros guess_us = directory_us - target_offset_us_;
  return directory_us - offset_us(directory_us - offset_us(guess_us));
}

}  // namespace perigee
