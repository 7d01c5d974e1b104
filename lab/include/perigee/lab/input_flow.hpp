/// How long a player's inputs are not applied although the path could carry them.
#pragma once

#include <algorithm>
#include <optional>

#include "perigee/netcode/tick.hpp"

namespace perigee::lab {

class InputFlow {
 public:
  /// The newest input that the worker has applied for the player, after each of its ticks.
  void on_tick(Micros now_us, const std::optional<Tick>& newest_applied) {
    if (newest_applied == newest_) return;
    newest_ = newest_applied;
    count_from(now_us);
  }
  /// Often: time on a path that cannot be used does not count.
  void on_path(Micros now_us, bool usable) {
    if (!usable) count_from(now_us);
  }
  /// The longest time without a newly applied input since restart(), the present one included.
  Micros longest_us(Micros now_us) const { return std::max(longest_us_, now_us - since_us_); }
  void restart(Micros now_us) {
    since_us_ = now_us;
    longest_us_ = 0;
  }

 private:
  void count_from(Micros now_us) {
    longest_us_ = longest_us(now_us);
    since_us_ = now_us;
  }

  std::optional<Tick> newest_;
  Micros since_us_ = 0;
  Micros longest_us_ = 0;
};

}  // namespace perigee::lab
