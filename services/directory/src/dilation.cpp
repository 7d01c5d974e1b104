#include "perigee/directory/dilation.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::directory {
namespace {

/// The rate, in whole steps, at which ticks of that cost take at most `share` of the time.
std::uint32_t percent_for(double load_ms, double share, double period_ms) {
  if (load_ms <= 0) return 100;
  const double steps = std::floor(100 * share * period_ms / load_ms / Dilation::percent_step);
  return static_cast<std::uint32_t>(
      std::clamp(steps * Dilation::percent_step, double{Dilation::percent_min}, 100.0));
}

}  // namespace

/// In percent of real time.
struct Dilation::Needs {
  std::uint32_t slow = 100;  ///< the rate that every worker keeps up with
  std::uint32_t fast = 100;  ///< the rate that leaves enough reserve to stay there
  Micros patience_us = 0;    ///< of the least patient worker that needs a slower rate
  bool starved = false;      ///< the reason is missing processor time
};

auto Dilation::needs(std::uint32_t percent, double period_ms, std::span<const Strain> workers) const
    -> Needs {
  Needs out{.patience_us = settings_.patience_us_max};
  const double less = settings_.busy_max - settings_.back_share;
  for (const Strain& worker : workers) {
    const bool late = worker.late_ms > late_ms_max;
    const auto by_load = percent_for(worker.load_ms, late ? less : settings_.busy_max, period_ms);
    const auto by_pace = late ? percent_for(worker.pace_ms, less, period_ms) : 100;
    const bool starved = by_pace < by_load;
    out.slow = std::min({out.slow, by_load, by_pace});
    out.fast = std::min({out.fast, percent_for(worker.load_ms, less, period_ms), by_pace});
    if (std::min(by_load, by_pace) >= percent) continue;
    out.starved |= starved;
    // A late worker migrates nothing, so only slower time helps it. One that stalled for a moment
    // looks starved until it has caught up.
    const bool more_to_try = worker.in_motion || worker.level < OverloadLevel::Relief;
    const Micros more_us = more_to_try ? settings_.patience_us_max : settings_.patience_us;
    const Micros late_us = by_load < percent ? 0 : settings_.patience_us;
    out.patience_us = std::min(out.patience_us, late ? late_us : more_us);
  }
  return out;
}

std::optional<std::uint32_t> Dilation::choose(Micros now_us, std::uint32_t percent,
                                              double period_ms, std::span<const Strain> workers) {
  const Needs needed = needs(percent, period_ms, workers);
  if (needed.slow >= percent) strained_us_.reset();
  if (needed.fast <= percent) calm_us_.reset();
  if (needed.slow < percent) {
    if (!strained_us_) strained_us_ = now_us;
    if (now_us - *strained_us_ < needed.patience_us) return std::nullopt;
    strained_us_.reset();
    starved_ = needed.starved;
    return needed.slow;
  }
  if (needed.fast > percent) {
    if (!calm_us_) calm_us_ = now_us;
    const Micros calm_us = starved_ ? settings_.calm_starved_us : settings_.calm_us;
    if (now_us - *calm_us_ < calm_us) return std::nullopt;
    calm_us_.reset();
    const std::uint32_t faster = std::min(percent + percent_back, needed.fast);
    starved_ &= faster < 100;
    return faster;
  }
  return std::nullopt;
}

}  // namespace perigee::directory
