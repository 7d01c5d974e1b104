/// How fast world time should pass: as fast as the most loaded worker can keep up with, or the one
/// that gets least of a processor, once nothing else has helped. Pure: same reports, same rate.
/// (mission K48)
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/worker_report.hpp"
#include "perigee/netcode/world_time.hpp"

namespace perigee::directory {

struct DilationSettings {
  /// Of a worker's time, that its ticks may take. Less: time is slowed where it need not be; more:
  /// the next thing that happens makes ticks late.
  double busy_max = 0.9;
  /// So much less of it before time goes faster again. Less: it goes up and down.
  double back_share = 0.1;
  /// Balancing and what workers do by themselves may try for so long.
  Micros patience_us = 3'000'000;
  /// Longer while something of the worker is on its way to another one, or it can do more itself.
  Micros patience_us_max = 10'000'000;
  /// Time goes faster again after so long of being able to.
  Micros calm_us = 4'000'000;
  /// The same where a worker was kept waiting for its processor, for what it would get at a faster
  /// pace nobody knows before. Less: who does not get it is late again and again.
  Micros calm_starved_us = 10'000'000;
};

/// A worker, as it reported last.
struct Strain {
  double load_ms = 0;  ///< of a processor, per tick
  double late_ms = 0;  ///< behind world time
  double pace_ms = 0;  ///< by the clock, from a tick to the next
  OverloadRung rung = OverloadRung::None;
  bool in_motion = false;  ///< a region of it is on its way
};

class Dilation {
 public:
  static constexpr std::uint32_t percent_min = slowest_ppm / ppm_per_percent;
  static constexpr std::uint32_t percent_step = 5;
  static constexpr std::uint32_t percent_back = 10;  ///< faster by so much at once
  /// Behind by more than this a worker is late: it runs tick after tick, and its pace is what it
  /// can.
  static constexpr double late_ms_max = 100;

  explicit Dilation(const DilationSettings& settings) : settings_(settings) {}

  /// The percent of real time that should be next, if another one than `percent`. To be asked a few
  /// times each second, while no change is under way.
  std::optional<std::uint32_t> choose(Micros now_us, std::uint32_t percent, double period_ms,
                                      std::span<const Strain> workers);

 private:
  struct Needs;
  Needs needs(std::uint32_t percent, double period_ms, std::span<const Strain> workers) const;

  DilationSettings settings_;
  std::optional<Micros> strained_us_, calm_us_;  ///< since when
  bool starved_ = false;  ///< by the last change downwards, while time is slower than real time
};

}  // namespace perigee::directory
