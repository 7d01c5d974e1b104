/// The budget of a tick by phase, and the overload level. While ticks are too expensive, the worker
/// first makes updates of distant entities less frequent, before anything that players feel. Then
/// it asks for relief. Pure: the driver of the core passes the measurements in.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/tick.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class TickBudget {
 public:
  static constexpr std::size_t phases = enum_count<TickPhase>;
  using Spent = std::array<Micros, phases>;

  /// Share of the period; the rest is for sockets and other work of the machine. Less: degrades
  /// sooner than needed; more: degrades when ticks are late already.
  static constexpr double budget_share = 0.75;
  /// Shares of the budget, in the order of TickPhase.
  static constexpr std::array<double, phases> phase_shares{0.15, 0.25, 0.2, 0.05, 0.1, 0.2, 0.05};
  static constexpr std::uint32_t window_ticks = 60;
  static constexpr std::uint32_t over_max = 6;  ///< ticks of a window; more: one level up
  /// Windows without a tick over budget before the level goes down by one.
  static constexpr std::uint32_t rest_windows = 10;
  /// Windows without more than over_max before the worker no longer asks for relief.
  static constexpr std::uint32_t relieved_windows = 3;
  /// By level: the radii of the far rings are divided by at least this factor. The near lane is
  /// unaffected.
  static constexpr std::array<float, 5> least_stretches{1, 1.5F, 2, 3, 4};

  /// One finished tick, in processor time. `period_us`: length of a tick at the full rate, also
  /// while world time is slowed.
  void on_tick(const Spent& spent_us, Micros period_us);

  /// Ticks over the budget in which this phase took more than its share.
  std::uint64_t over(TickPhase phase) const { return over_[static_cast<std::size_t>(phase)]; }
  std::uint32_t step() const { return step_; }
  OverloadLevel level() const;
  float least_stretch() const { return least_stretches[step_]; }

 private:
  void end_window();

  std::array<std::uint64_t, phases> over_{};
  std::uint32_t step_ = 0;
  std::uint32_t ticks_ = 0, ticks_over_ = 0;  ///< counters of the current window
  std::uint32_t clean_windows_ = 0;
  std::uint32_t relief_windows_ = 0;  ///< remaining windows in which it asks for relief
};

}  // namespace perigee::worker
