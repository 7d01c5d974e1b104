/// Decides how long a read waits for more datagrams, by the rate at which they arrived lately.
#pragma once

#include <algorithm>
#include <cstddef>

#include "perigee/base/assert.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::host {

/// How long a socket waits after a datagram, so that one call reads several. For traffic that
/// tolerates the delay; stamps are those of the arrival. With `longest_us` 0, each datagram is read
/// at once.
struct Gathering {
  Micros shortest_us = 0;
  Micros longest_us = 0;
  /// Begins to wait when at least this many arrive in `longest_us`, and goes on while half as many
  /// do. 0: it always waits that long.
  std::size_t datagrams_min = 0;
  /// Waits until about this many arrive, within those limits.
  std::size_t datagrams = 0;
};

/// For players' inputs: docs/decisions/0123-reads-wait-by-the-rate.md. A wake-up costs almost twice
/// as much as an input. From 4,000 a second on, about three are read at a time; the wait counts as
/// part of an input's path.
inline constexpr Gathering inputs_gathering{
    .shortest_us = 100, .longest_us = 500, .datagrams_min = 2, .datagrams = 3};

/// Plain data; time comes in as an argument.
class ArrivalGauge {
 public:
  /// A rate is measured for at least so long and over at least so many of the longest waits. It
  /// must not be longer: the waiting goes on until the end of the window in which a burst ended.
  static constexpr Micros window_us_min = 2'000;
  static constexpr Micros window_waits = 4;

  explicit ArrivalGauge(const Gathering& gathering)
      : gathering_(gathering),
        window_us_(std::max(window_us_min, window_waits * gathering.longest_us)) {
    PERIGEE_ASSERT(gathering.shortest_us <= gathering.longest_us, "no wait is in these limits");
    PERIGEE_ASSERT(gathering.datagrams > 0, "a wait for no datagrams would end at once");
  }

  /// `datagrams` were read at `now_us`.
  void note(Micros now_us, std::size_t datagrams) {
    datagrams_ += datagrams;
    const Micros passed_us = now_us - since_us_;
    if (passed_us < window_us_) return;
    const auto arrived = std::max<Micros>(static_cast<Micros>(datagrams_), 1);
    // Hysteresis: once busy, half the rate is enough, so a rate at the limit does not toggle.
    const Micros longest_us = gathering_.longest_us * (busy() ? 2 : 1);
    const bool pays =
        static_cast<Micros>(gathering_.datagrams_min) * passed_us <= longest_us * arrived;
    const Micros wanted_us = static_cast<Micros>(gathering_.datagrams) * passed_us / arrived;
    wait_us_ = pays ? std::clamp(wanted_us, gathering_.shortest_us, gathering_.longest_us) : 0;
    since_us_ = now_us;
    datagrams_ = 0;
  }
  /// For how long the next read waits; 0: it does not.
  Micros wait_us() const { return wait_us_; }
  bool busy() const { return wait_us_ > 0; }

 private:
  Gathering gathering_;
  Micros window_us_;
  Micros since_us_ = 0;
  std::size_t datagrams_ = 0;  ///< since `since_us_`
  Micros wait_us_ = 0;
};

}  // namespace perigee::host
