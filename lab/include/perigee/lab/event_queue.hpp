/// Virtual time: a queue of events with a deterministic order for each seed.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "perigee/base/tick.hpp"

namespace perigee::lab {

class EventQueue {
 public:
  Micros now_us() const { return now_us_; }
  /// Events of the same time run in the order of insertion. A time in the past counts as now.
  void at(Micros time_us, std::function<void()> event) {
    if (free_slots_.empty()) {
      free_slots_.push_back(static_cast<std::uint32_t>(actions_.size()));
      actions_.emplace_back();
    }
    const std::uint32_t slot = free_slots_.back();
    free_slots_.pop_back();
    actions_[slot] = std::move(event);
    events_.push({time_us < now_us_ ? now_us_ : time_us, next_++, slot});
  }
  void after(Micros delay_us, std::function<void()> event) {
    at(now_us_ + delay_us, std::move(event));
  }
  /// Runs all events up to and including `time_us`.
  void run_until(Micros time_us) {
    while (!events_.empty() && events_.top().time_us <= time_us) {
      const Event event = events_.top();
      events_.pop();
      now_us_ = event.time_us;
      const std::function<void()> action = std::exchange(actions_[event.slot], nullptr);
      free_slots_.push_back(event.slot);
      action();
    }
    now_us_ = time_us;
  }

 private:
  struct Event {
    Micros time_us = 0;
    std::uint64_t order = 0;
    std::uint32_t slot = 0;  // in actions_: sorting moves small values only
    friend bool operator<(const Event& a, const Event& b) {
      return std::pair(a.time_us, a.order) > std::pair(b.time_us, b.order);
    }
  };
  Micros now_us_ = 0;
  std::uint64_t next_ = 0;
  std::priority_queue<Event> events_;
  std::vector<std::function<void()>> actions_;
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace perigee::lab
