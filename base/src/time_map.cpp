#include "perigee/base/time_map.hpp"

#include <algorithm>

namespace perigee {

void TimeMap::on_block(double local_ticks, Tick server_tick, const RateNotice& rate) {
  if (count_ == 0) origin_ = server_tick;
  const auto now = count_ == 0 ? std::nullopt : std::optional(observed_even(local_ticks));
  rates_.apply(ticks_since_origin(server_tick), rate, now);
  // The block was sent when the previous tick began: another rate changes that interval, but not
  // the path.
  const double offset = rates_.even(ticks_since_origin(server_tick) - 1) + 1 - local_ticks;
  const bool lost = count_ > 0 && (offset > base_ + settings_.jump_ticks ||
                                   offset < base_ - settings_.jump_ticks);
  if (lost) {
    count_ = next_ = 0;
    ++jumps_;
    view_started_ = false;
  }
  offsets_[next_] = offset;
  next_ = (next_ + 1) % samples_max;
  count_ = std::min(count_ + 1, samples_max);

  std::array<double, samples_max> sorted = offsets_;
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(count_);
  fastest_ = *std::max_element(sorted.begin(), end);
  const auto p95 = sorted.begin() + static_cast<std::ptrdiff_t>(count_ / 20);
  std::nth_element(sorted.begin(), p95, end);
  jitter_ = fastest_ - *p95;
  if (count_ == 1) base_ = fastest_;
}

double TimeMap::view_delay_ticks() const {
  return fixed_delay_.value_or(std::max(
      settings_.delay_ticks_min, settings_.slots_covered * settings_.slot_ticks + jitter_ * rate_));
}

void TimeMap::advance(double local_ticks) {
  if (count_ == 0) return;
  const double elapsed = view_started_ ? std::max(local_ticks - last_local_, 0.0) : 0.0;
  const double passed = observed_ticks(last_local_ + elapsed) - observed_ticks(last_local_);
  last_local_ = local_ticks;
  // A faster path raises the base by at most 5 % of the elapsed time; a slower one, seen only once
  // the old samples have left, lowers it by at most 1 %.
  base_ += std::clamp(fastest_ - base_, -0.01 * elapsed, std::max(0.05 * elapsed, 0.0));
  rate_ = rates_.rate_at(observed_ticks(local_ticks));
  // After a lasting rise of latency the jitter falls within one block, when the last fast sample
  // leaves, and the base within many seconds. The view stays behind the blocks that do arrive.
  const double from_even = fixed_delay_
                               ? observed_even(local_ticks)
                               : std::min(observed_even(local_ticks), fastest_even(local_ticks));
  const double wanted = rates_.ticks(from_even) - view_delay_ticks();
  if (!view_started_) {
    view_ = wanted;
    view_started_ = true;
    return;
  }
  const double step =
      std::clamp(wanted - view_, settings_.rate_min * passed, settings_.rate_max * passed);
  view_ += step;
  if (wanted - view_ > settings_.jump_ticks || view_ - wanted > settings_.jump_ticks) {
    view_ = wanted;
    ++jumps_;
  }
}

}  // namespace perigee
