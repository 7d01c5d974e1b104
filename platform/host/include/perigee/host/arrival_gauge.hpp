/// Decides whether waiting for datagrams pays: counts how many arrived lately per waiting time.
#pragma once

#include <cstddef>

#include "perigee/base/tick.hpp"

namespace perigee::host {

/// Plain data; time comes in as an argument.
class ArrivalGauge {
 public:
  /// Long enough to measure a rate, short enough to stop waiting soon after a burst ends.
  static constexpr Micros window_us = 2'000;

  ArrivalGauge(Micros wait_us, std::size_t datagrams_min)
      : wait_us_(wait_us), datagrams_min_(datagrams_min) {}

  /// `datagrams` were read at `now_us`.
  void note(Micros now_us, std::size_t datagrams) {
    datagrams_ += datagrams;
    const Micros passed_us = now_us - since_us_;
    if (passed_us < window_us) return;
    // Hysteresis: once busy, half the rate is enough, so a rate at the limit does not toggle.
    const Micros demanded = static_cast<Micros>(datagrams_min_) * passed_us;
    busy_ = static_cast<Micros>(datagrams_) * wait_us_ * (busy_ ? 2 : 1) >= demanded;
    since_us_ = now_us;
    datagrams_ = 0;
  }
  /// In the last window, at least `datagrams_min` arrived per `wait_us`.
  bool busy() const { return busy_; }

 private:
  Micros wait_us_;
  std::size_t datagrams_min_;
  Micros since_us_ = 0;
  std::size_t datagrams_ = 0;  ///< since `since_us_`
  bool busy_ = false;
};

}  // namespace perigee::host
