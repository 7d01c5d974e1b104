/// Measures how long a player's inputs are not applied although the path could carry them, and for
/// how long the path cannot.
#pragma once

#include <algorithm>
#include <optional>

#include "perigee/base/tick.hpp"

namespace perigee::lab {

/// Round trip of a packet on a path that can carry a game. None if either direction is cut or takes
/// longer than a second.
inline std::optional<Micros> usable_round_trip_us(std::optional<Micros> up_us,
                                                  std::optional<Micros> down_us) {
  constexpr Micros usable_us_max = 1'000'000;
  if (!up_us || !down_us || *up_us > usable_us_max || *down_us > usable_us_max) return {};
  return *up_us + *down_us;
}

/// Whether packets of both directions arrive, however late: queues of paths hold two seconds.
inline bool path_carries(std::optional<Micros> up_us, std::optional<Micros> down_us) {
  constexpr Micros queued_us_max = 2'000'000;
  return up_us && down_us && *up_us <= queued_us_max && *down_us <= queued_us_max;
}

class InputFlow {
 public:
  /// Notes the newest input that the worker has applied for the player. Call it after each tick.
  void on_tick(Micros now_us, const std::optional<Tick>& newest_applied) {
    if (newest_applied == newest_) return;
    newest_ = newest_applied;
    count_from(now_us);
  }
  /// Call it often, with the present usable round trip, and whether the path carries anything. Time
  /// without a usable round trip does not count.
  void on_path(Micros now_us, std::optional<Micros> round_trip_us, bool carries) {
    if (!carries) interrupted_until_us_ = now_us + recovery_us;
    if (now_us < interrupted_until_us_) interrupted_us_ += now_us - path_at_us_;
    path_at_us_ = now_us;
    if (!round_trip_us) return count_from(now_us);
    round_trip_us_max_ = std::max(round_trip_us_max_, *round_trip_us);
  }
  /// The longest time without a newly applied input since restart(), minus two round trips of that
  /// time. The present gap is included.
  Micros longest_us(Micros now_us) const {
    return std::max(longest_us_, now_us - since_us_ - 2 * round_trip_us_max_);
  }
  /// Time since restart() in which the path carried nothing, and a second after each such time.
  Micros interrupted_us() const { return interrupted_us_; }
  void restart(Micros now_us) {
    interrupted_us_ = 0;
    since_us_ = now_us;
    round_trip_us_max_ = 0;
    longest_us_ = 0;
  }

 private:
  /// A client that lost its session has a new one, and has seen its margins.
  static constexpr Micros recovery_us = 1'000'000;

  void count_from(Micros now_us) {
    longest_us_ = longest_us(now_us);
    since_us_ = now_us;
    round_trip_us_max_ = 0;
  }

  std::optional<Tick> newest_;
  Micros since_us_ = 0;
  Micros round_trip_us_max_ = 0;  ///< since `since_us_`
  Micros longest_us_ = 0;
  Micros path_at_us_ = 0;
  Micros interrupted_until_us_ = 0;
  Micros interrupted_us_ = 0;
};

}  // namespace perigee::lab
