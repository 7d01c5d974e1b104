#include "perigee/directory/dilation.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::directory {
namespace {

/// In whole steps, at which ticks of that cost take `share` of the time at most.
std::uint32_t percent_for(double load_ms, double share, double period_ms) {
  if (load_ms <= 0) return 100;
  const double steps = std::floor(100 * share * period_ms / load_ms / Dilation::percent_step);
  return static_cast<std::uint32_t>(
      std::clamp(steps * Dilation::percent_step, double{Dilation::percent_min}, 100.0));
}

}  // namespace

std::optional<std::uint32_t> Dilation::choose(Micros now_us, std::uint32_t percent,
                                              double period_ms, std::span<const Strain> workers) {
  std::uint32_t needed = 100, easy = 100;
  Micros patience_us = settings_.patience_us_max;
  for (const Strain& worker : workers) {
    const bool late = worker.late_ms > late_ms_max;
    const double less = settings_.busy_max - settings_.back_share;
    const std::uint32_t its =
        percent_for(worker.load_ms, late ? less : settings_.busy_max, period_ms);
    easy = std::min(easy, percent_for(worker.load_ms, less, period_ms));
    needed = std::min(needed, its);
    if (its >= percent) continue;
    const bool more_to_try = worker.in_motion || worker.rung < OverloadRung::Relief;
    const Micros more_us = more_to_try ? settings_.patience_us_max : settings_.patience_us;
    patience_us = std::min(patience_us, late ? 0 : more_us);
  }
  if (needed >= percent) strained_us_.reset();
  if (easy <= percent) calm_us_.reset();
  if (needed < percent) {
    if (!strained_us_) strained_us_ = now_us;
    if (now_us - *strained_us_ < patience_us) return std::nullopt;
    strained_us_.reset();
    return needed;
  }
  if (easy > percent) {
    if (!calm_us_) calm_us_ = now_us;
    if (now_us - *calm_us_ < settings_.calm_us) return std::nullopt;
    calm_us_.reset();
    return std::min(percent + percent_back, easy);
  }
  return std::nullopt;
}

}  // namespace perigee::directory
