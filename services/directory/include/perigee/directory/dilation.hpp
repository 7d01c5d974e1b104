/// Chooses the rate of world time, once nothing else has helped. It is the highest rate that all
/// workers keep up with, even the most loaded one and the one that gets the least processor time.
/// Pure: the same reports give the same rate.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/tick.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/base/world_time.hpp"

namespace perigee::directory {

struct DilationSettings {
  /// Share of a worker's time that its ticks may take. Lower: time slows down needlessly. Higher:
  /// the next disturbance makes ticks late.
  double busy_max = 0.9;
  /// Time speeds up again once the share is lower than `busy_max` by this. Lower: the rate
  /// oscillates.
  double back_share = 0.1;
  /// Balancing and the workers' own measures have this long to help before time slows down.
  Micros patience_us = 3'000'000;
  /// Longer patience while some of the worker's entities migrate away, or it has measures left.
  Micros patience_us_max = 10'000'000;
  /// Time speeds up only after a faster rate has been possible for this long.
  Micros calm_us = 4'000'000;
  /// The same if a worker did not get its processor time: how much it would get at a faster rate is
  /// unknown. Lower: a starved worker falls behind again and again.
  Micros calm_starved_us = 10'000'000;
};

/// A worker's load from its last report.
struct Strain {
  double load_ms = 0;  ///< processor time per tick
  double late_ms = 0;  ///< behind world time
  double pace_ms = 0;  ///< wall-clock time from one tick to the next
  OverloadLevel level = OverloadLevel::None;
  bool in_motion = false;  ///< one of its regions is being changed
};

class Dilation {
 public:
  static constexpr std::uint32_t percent_min = slowest_ppm / ppm_per_percent;
  static constexpr std::uint32_t percent_step = 5;
  static constexpr std::uint32_t percent_back = 10;  ///< maximum increase in one step
  /// A worker further behind world time than this is late: it runs ticks back to back, so its pace
  /// is the fastest it is capable of.
  static constexpr double late_ms_max = 100;

  explicit Dilation(const DilationSettings& settings) : settings_(settings) {}

  /// The next rate in percent of real time, if it differs from `percent`. Call it a few times a
  /// second while no rate change is under way.
  std::optional<std::uint32_t> choose(Micros now_us, std::uint32_t percent, double period_ms,
                                      std::span<const Strain> workers);

 private:
  struct Needs;
  Needs needs(std::uint32_t percent, double period_ms, std::span<const Strain> workers) const;

  DilationSettings settings_;
  std::optional<Micros> strained_us_, calm_us_;  ///< since when
  bool starved_ = false;  ///< the last slowdown was due to starvation; reset at real time
};

}  // namespace perigee::directory
