/// When the worker's half of a flight is written down: somebody's client was far off, or the
/// operator asked.
#pragma once

#include "perigee/flight_log/flight_log.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class Flights {
 public:
  explicit Flights(flight_log::FlightLog log) : log_(std::move(log)) {}
  /// After each tick: writes at most one recording, some time after what it is of.
  void after_tick(Core& core, Micros now_us);
  const flight_log::FlightLog& log() const { return log_; }

 private:
  static constexpr std::int32_t too_old_ticks = 480;  ///< then it is not in the recorder any more

  flight_log::FlightLog log_;
  FixedVector<Surprise, 16> waiting_;  ///< oldest first, one of a player
};

}  // namespace perigee::worker
