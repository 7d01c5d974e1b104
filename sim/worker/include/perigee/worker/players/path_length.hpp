/// How far a client is ahead of what it has heard: the longest of the last 10 to 20 s. A queue on
/// the path grows and drains within a second, and an announcement that is made while the path is
/// short can arrive while it is long.
#pragma once

#include <algorithm>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::worker {

class PathLength {
 public:
  static constexpr std::int32_t remembered_ticks = 600;  ///< at least; at most twice

  void note(Tick now, std::int32_t ticks) {
    const std::int32_t since = ticks_between(begun_, now);
    if (since >= remembered_ticks || since < 0) {
      former_ = since < 2 * remembered_ticks ? longest_ : 0;
      longest_ = 0;
      begun_ = now;
    }
    longest_ = std::max(longest_, ticks);
  }
  std::int32_t longest_ticks() const { return std::max(longest_, former_); }

  template <class Cursor, class T>
  static bool walk(Cursor& cursor, T& length) {
    return cursor.number(length.longest_) && cursor.number(length.former_) &&
           cursor.tick(length.begun_);
  }

 private:
  std::int32_t longest_ = 0;
  std::int32_t former_ = 0;
  Tick begun_;
};

}  // namespace perigee::worker
