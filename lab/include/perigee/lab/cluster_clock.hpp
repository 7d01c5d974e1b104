/// The calendar time of a virtual cluster, which follows from the time of its queue.
#pragma once

#include <cstdint>

#include "perigee/lab/event_queue.hpp"

namespace perigee::lab {

class ClusterClock {
 public:
  /// The queue must outlive the clock.
  explicit ClusterClock(const EventQueue& queue) : queue_(queue) {}

  Micros now_us() const { return queue_.now_us(); }
  Micros unix_us() const { return unix_start_us + queue_.now_us(); }
  std::uint64_t unix_s() const { return static_cast<std::uint64_t>(unix_us() / 1'000'000); }

 private:
  static constexpr Micros unix_start_us = 1'800'000'000'000'000;
  const EventQueue& queue_;
};

}  // namespace perigee::lab
