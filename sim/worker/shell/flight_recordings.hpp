/// Decides when the server's half of a flight recording is written: after a misprediction, or on
/// the operator's request.
#pragma once

#include "perigee/flight_log/flight_log.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Flights {
 public:
  explicit Flights(flight_log::FlightLog log) : log_(std::move(log)) {}
  /// Called after each tick: writes at most one recording, some time after the recorded event.
  void after_tick(Core& core, Micros now_us);
  const flight_log::FlightLog& log() const { return log_; }

 private:
  /// Older events are no longer in the recorder.
  static constexpr std::int32_t too_old_ticks = 480;

  flight_log::FlightLog log_;
  FixedVector<Misprediction, 16> waiting_;  ///< oldest first, one per player
};

}  // namespace perigee::worker
