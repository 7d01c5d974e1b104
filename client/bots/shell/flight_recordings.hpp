/// Decides when a bot's part of a flight recording is written.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bot.hpp"
#include "perigee/flight_log/flight_log.hpp"

namespace perigee::bots {

/// A correction, with its recording.
struct WorstCorrection {
  double meters = 0;
  replay::Recording recording;
};

/// Of the bots of one thread.
class CorrectionWatch {
 public:
  /// Ignores smaller corrections.
  explicit CorrectionWatch(double beyond_m) : beyond_m_(beyond_m) {}
  /// Called once a second: the largest correction since the last call.
  std::optional<WorstCorrection> each_second(std::span<const Bot* const> bots);

 private:
  double beyond_m_;
  std::vector<std::uint64_t> seen_;  ///< number of corrections per bot
};

/// The recordings of all threads.
class Flights {
 public:
  Flights(flight_log::FlightLog log, double beyond_m) : log_(std::move(log)), beyond_m_(beyond_m) {}
  double beyond_m() const { return beyond_m_; }
  void note(WorstCorrection&& one) {
    if (!worst_ || worst_->meters < one.meters) worst_ = std::move(one);
  }
  /// Called once a second: writes the largest of those noted since the last call.
  void each_second(Micros now_us);
  std::uint64_t written() const { return log_.written(); }

 private:
  flight_log::FlightLog log_;
  double beyond_m_;
  std::optional<WorstCorrection> worst_;
};

}  // namespace perigee::bots
