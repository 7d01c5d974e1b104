#include "perigee/client/tick_pace.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/client/step_history.hpp"

namespace perigee::client {
namespace {

constexpr std::int32_t settle_ticks = 6;
/// Limit of ticks from a final state to the present, on any path. For an older final state there is
/// no prediction: catching up could block a frame for ever, and no comparison would be possible.
constexpr std::int32_t start_ticks_max = StepHistory::capacity_ticks;
/// If the lead has jumped back this far, waiting for the next due tick would freeze the own avatar:
/// it continues from the server's state instead.
constexpr double ahead_too_far_ticks = 30;

}  // namespace

bool TickPace::hears(bool running, std::uint64_t finals) {
  const Micros now_us = needs_.clocks.now_us();
  const Micros path_us = std::max<Micros>(needs_.telemetry.lead_us(), 0);
  if (!running || finals != finals_) {
    finals_ = finals;
    heard_at_us_ = now_us;
  } else if (now_us - heard_at_us_ > needs_.settings.uncompared_us_max + path_us) {
    needs_.telemetry.count_stall();
    heard_at_us_ = now_us;  // the next final state may restart it before the next check
    return false;
  }
  return true;
}

std::optional<TickPace::Due> TickPace::due(Micros now_us, Tick next, bool starts) {
  if (!needs_.clocks.find_lead()) return std::nullopt;
  const Settings& settings = needs_.settings;
  const double owed_ticks = std::trunc(needs_.clocks.predicted_ticks(now_us)) -
                            ticks_between(needs_.clocks.time().origin(), next);
  if (owed_ticks > (starts ? start_ticks_max : settings.skip_ticks) ||
      owed_ticks < -ahead_too_far_ticks) {
    return Due{.astray = true};
  }
  auto owed = static_cast<std::int32_t>(std::max(owed_ticks, 0.0));
  if (!starts) owed = std::min(owed, settings.ticks_per_call_max);
  // The first inputs are created for ticks that have already run: their margins are meaningless.
  if (starts) settled_ = next + owed + settle_ticks;
  return Due{.ticks = owed, .late_ticks = owed_ticks - 1, .starts = starts};
}

}  // namespace perigee::client
