/// The queue on a path, by round trips: how much longer the shortest one of the last second is than
/// the shortest one of the last 30 to 60 s. Jitter makes some round trips longer, a queue makes all
/// of them longer.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "perigee/base/tick.hpp"

namespace perigee {

class PathQueue {
 public:
  /// A longer queue stands: packets wait although the path could empty it in a moment.
  static constexpr Micros standing_us = 100'000;
  static constexpr Micros shortest_kept_us = 30'000'000;
  /// Longer round trips tell of an outage.
  static constexpr Micros round_trip_us_max = 10'000'000;

  void note(Micros round_trip_us) {
    if (round_trip_us < 0 || round_trip_us > round_trip_us_max) return;
    period_us_ = std::min(period_us_.value_or(round_trip_us), round_trip_us);
  }
  struct Reading {
    Micros queue_us = 0;
    Micros round_trip_us = 0;  ///< of which the queue is a part
  };
  /// Of the time since the last call, which should be a second. None: nothing was noted.
  std::optional<Reading> read(Micros now_us) {
    if (!period_us_) return std::nullopt;
    const Micros round_trip_us = *std::exchange(period_us_, std::nullopt);
    const Micros since_us = now_us - since_us_;
    if (!shortest_us_ || since_us < 0 || since_us >= shortest_kept_us) {
      before_us_ = shortest_us_;
      shortest_us_ = round_trip_us;
      since_us_ = now_us;
    }
    shortest_us_ = std::min(*shortest_us_, round_trip_us);
    const Micros path_us = std::min(*shortest_us_, before_us_.value_or(*shortest_us_));
    return Reading{round_trip_us - path_us, round_trip_us};
  }

  /// What is known of the path without its queue.
  struct Shortest {
    std::optional<Micros> now_us, before_us;  ///< of a period that goes on, and of the one before
    Micros age_us = 0;                        ///< of that period, at most shortest_kept_us
  };
  Shortest shortest(Micros now_us) const {
    return {shortest_us_, before_us_, std::clamp(now_us - since_us_, Micros{0}, shortest_kept_us)};
  }
  /// Another PathQueue has measured the path until now.
  void go_on_from(const Shortest& shortest, Micros now_us) {
    shortest_us_ = shortest.now_us;
    before_us_ = shortest.before_us;
    since_us_ = now_us - shortest.age_us;
  }

 private:
  std::optional<Micros> period_us_;
  std::optional<Micros> shortest_us_, before_us_;
  Micros since_us_ = 0;
};

}  // namespace perigee
