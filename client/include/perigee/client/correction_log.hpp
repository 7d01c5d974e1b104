/// Counts the corrections of the own avatar, and decides by them whether its prediction is
/// rendered.
#pragma once

#include <cstdint>

#include "perigee/client/clocks.hpp"
#include "perigee/client/display.hpp"
#include "perigee/client/prediction.hpp"
#include "perigee/client/storm_breaker.hpp"

namespace perigee::client {

class CorrectionLog {
 public:
  struct Needs {
    const Clocks& clocks;
    const EntityStore& entities;
    const Prediction& prediction;
    const Display& display;
    TelemetryLog& telemetry;
  };
  CorrectionLog(const Needs& needs, const StormBreaker::Settings& settings)
      : needs_(needs), breaker_(settings) {}

  void on_correction(const Correction& correction);
  /// Once per frame.
  void advance(Micros now_us) { breaker_.advance(now_us); }
  void forget_world() { breaker_.clear(); }

  const StormBreaker& breaker() const { return breaker_; }
  /// The newest correction that was displayed, and the number of all displayed ones.
  const Correction& last_shown() const { return last_shown_; }
  std::uint64_t shown() const { return shown_; }

 private:
  Needs needs_;
  StormBreaker breaker_;
  Correction last_shown_;
  std::uint64_t shown_ = 0;
};

}  // namespace perigee::client
