/// What a tick may cost, part by part, and what gives way while ticks cost more: how often clients
/// hear of what is far, before anything that is felt; and whether that is enough. Pure; who
/// measures calls it. (mission K48)
#pragma once

#include <array>
#include <cstdint>

#include "perigee/netcode/tick.hpp"
#include "perigee/netcode/worker_report.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

class TickBudget {
 public:
  static constexpr std::size_t phases = enum_count<TickPhase>;
  using Spent = std::array<Micros, phases>;

  /// Of the period: the rest is for sockets and for what else the machine does. Less gives way
  /// sooner than needed; more does so when ticks are late already.
  static constexpr double budget_share = 0.75;
  /// Of the budget, in the order of TickPhase.
  static constexpr std::array<double, phases> phase_shares{0.15, 0.25, 0.2, 0.05, 0.1, 0.2, 0.05};
  static constexpr std::uint32_t window_ticks = 60;
  static constexpr std::uint32_t over_max = 6;       ///< ticks of a window; more: one step further
  static constexpr std::uint32_t rest_windows = 10;  ///< without any, before one step back
  /// Not over over_max, before others need not help any more.
  static constexpr std::uint32_t relieved_windows = 3;
  /// By step: the far rings' radii are divided by at least this. The near lane stays as it is.
  static constexpr std::array<float, 5> least_stretches{1, 1.5F, 2, 3, 4};

  /// One finished tick, in processor time, and what it may take while time passes at its rate:
  /// that it passes more slowly is no reason to take nothing back.
  void on_tick(const Spent& spent_us, Micros period_us);

  /// Ticks over the budget in which this phase took more than its share.
  std::uint64_t over(TickPhase phase) const { return over_[static_cast<std::size_t>(phase)]; }
  std::uint32_t step() const { return step_; }
  OverloadRung rung() const;
  float least_stretch() const { return least_stretches[step_]; }

 private:
  void end_window();

  std::array<std::uint64_t, phases> over_{};
  std::uint32_t step_ = 0;
  std::uint32_t ticks_ = 0, ticks_over_ = 0;  ///< of the window
  std::uint32_t clean_windows_ = 0;
  std::uint32_t relief_windows_ = 0;  ///< to go, until it does not want relief any more
};

}  // namespace perigee::worker
