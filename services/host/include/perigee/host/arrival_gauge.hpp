/// Whether waiting for datagrams pays: how many came lately in the time that one would wait.
#pragma once

#include <cstddef>

#include "perigee/netcode/tick.hpp"

namespace perigee::host {

/// Plain data; time comes in as an argument.
class ArrivalGauge {
 public:
  /// Long enough for a rate, short enough that nobody waits for what has ended.
  static constexpr Micros window_us = 2'000;

  ArrivalGauge(Micros wait_us, std::size_t datagrams_min)
      : wait_us_(wait_us), datagrams_min_(datagrams_min) {}

  /// So many were read at `now_us`.
  void note(Micros now_us, std::size_t datagrams) {
    datagrams_ += datagrams;
    const Micros passed_us = now_us - since_us_;
    if (passed_us < window_us) return;
    // Once busy, half of it is enough: a rate at the limit does not switch back and forth.
    const Micros demanded = static_cast<Micros>(datagrams_min_) * passed_us;
    busy_ = static_cast<Micros>(datagrams_) * wait_us_ * (busy_ ? 2 : 1) >= demanded;
    since_us_ = now_us;
    datagrams_ = 0;
  }
  /// At least `datagrams_min` came per `wait_us`, as far as the last window saw.
  bool busy() const { return busy_; }

 private:
  Micros wait_us_;
  std::size_t datagrams_min_;
  Micros since_us_ = 0;
  std::size_t datagrams_ = 0;  ///< since then
  bool busy_ = false;
};

}  // namespace perigee::host
