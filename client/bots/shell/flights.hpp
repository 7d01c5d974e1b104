/// When a bot's half of its flight is written down.
#pragma once

#include <memory>
#include <vector>

#include "bot.hpp"
#include "perigee/flight_log/flight_log.hpp"

namespace perigee::bots {

class Flights {
 public:
  /// Of corrections larger than `beyond_m`.
  Flights(flight_log::FlightLog log, double beyond_m) : log_(std::move(log)), beyond_m_(beyond_m) {}
  /// Once a second: the worst correction since the last time.
  void each_second(Micros now_us, const std::vector<std::unique_ptr<Bot>>& bots);
  std::uint64_t written() const { return log_.written(); }

 private:
  flight_log::FlightLog log_;
  double beyond_m_;
  std::vector<std::uint64_t> seen_;  ///< corrections of each bot
};

}  // namespace perigee::bots
