/// Decides when a bot's part of a flight recording is written.
#pragma once

#include <memory>
#include <vector>

#include "bot.hpp"
#include "perigee/flight_log/flight_log.hpp"

namespace perigee::bots {

class Flights {
 public:
  /// Writes for corrections larger than `beyond_m`.
  Flights(flight_log::FlightLog log, double beyond_m) : log_(std::move(log)), beyond_m_(beyond_m) {}
  /// Called once a second: writes the largest correction since the last call.
  void each_second(Micros now_us, const std::vector<std::unique_ptr<Bot>>& bots);
  std::uint64_t written() const { return log_.written(); }

 private:
  flight_log::FlightLog log_;
  double beyond_m_;
  std::vector<std::uint64_t> seen_;  ///< number of corrections per bot
};

}  // namespace perigee::bots
