#include "perigee/host/stall_watch.hpp"

#include <algorithm>
#include <chrono>

#include "perigee/host/loop.hpp"

namespace perigee::host {

StallWatch::StallWatch(Micros stall_us_min)
    : stall_us_min_(stall_us_min), thread_([this] { watch(); }) {}

StallWatch::~StallWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  thread_.join();
}

/// A thread that only sleeps. Whenever it wakes late, no thread of this process could run.
void StallWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!stopped_) {
    const Micros asleep_us = Loop::clock_us();
    stop_.wait_for(lock, std::chrono::microseconds(period_us));
    const Micros due_us = asleep_us + period_us;
    const Micros awake_us = Loop::clock_us();
    if (awake_us - due_us < stall_us_min_ || stalls_.size() == stalls_max) continue;
    stalls_.push_back({due_us, awake_us});
  }
}

Micros StallWatch::longest_us() const {
  const std::lock_guard lock(mutex_);
  Micros longest_us = 0;
  for (const Stall& stall : stalls_) longest_us = std::max(longest_us, stall.to_us - stall.from_us);
  return longest_us;
}

Micros StallWatch::stalled_us(Micros from_us, Micros to_us) const {
  const std::lock_guard lock(mutex_);
  Micros sum_us = 0;
  for (const Stall& stall : stalls_) {
    sum_us += std::max<Micros>(std::min(stall.to_us, to_us) - std::max(stall.from_us, from_us), 0);
  }
  return sum_us;
}

}  // namespace perigee::host
