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
    events_.push({time_us < now_us_ ? now_us_ : time_us, next_++, std::move(event)});
  }
  void after(Micros delay_us, std::function<void()> event) {
    at(now_us_ + delay_us, std::move(event));
  }
  /// Runs all events up to and including `time_us`.
  void run_until(Micros time_us) {
    while (!events_.empty() && events_.top().time_us <= time_us) {
      Event event = std::move(const_cast<Event&>(events_.top()));
      events_.pop();
      now_us_ = event.time_us;
      event.run();
    }
    now_us_ = time_us;
  }

 private:
  struct Event {
    Micros time_us = 0;
    std::uint64_t order = 0;
    std::function<void()> run;
    friend bool operator<(const Event& a, const Event& b) {
      return std::pair(a.time_us, a.order) > std::pair(b.time_us, b.order);
    }
  };
  Micros now_us_ = 0;
  std::uint64_t next_ = 0;
  std::priority_queue<Event> events_;
};

}  // namespace perigee::lab
