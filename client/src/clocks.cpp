#include "perigee/client/clocks.hpp"

#include <algorithm>

namespace perigee::client {
namespace {

constexpr double shared_clock_delay_ticks = 6;  // 100 ms
/// A path that has become too long for the suggested timeline must get this much shorter before the
/// client returns to it.
constexpr double fall_back_band_ticks = 1;

}  // namespace

Clocks::Clocks(const Needs& needs)
    : needs_(needs), time_map_(needs.settings.view), lead_(needs.settings.lead) {}

void Clocks::forget_world() {
  time_map_ = TimeMap(needs_.settings.view);
  lead_ = LeadControl(needs_.settings.lead);
  delay_ticks_ = 0;
  fell_back_ = false;
}

void Clocks::on_own(Tick block_tick, const OwnSection& own) {
  time_map_.on_block(local_ticks(now_us_), block_tick, own.rate);
  needs_.telemetry.on_jitter(time_map_.jitter_ticks());
  delay_ticks_ = own.delay_ticks;
}

void Clocks::on_margin(const OwnSection& own, Tick settled) {
  constexpr double slack_ticks = 2;  // of the newest server tick that could have arrived
  if (!own.has_margin || !before(settled, own.margin_input)) return;
  const double margin_ticks = own.margin_us * ticks_per_us;
  const double due = time_map_.ticks_since_origin(own.margin_input);
  const RateMap& rates = time_map_.rates();
  const double local = local_ticks(now_us_);
  lead_.on_margin(own.margin_input, rates.even(due) - rates.even(due - margin_ticks),
                  time_map_.observed_even(local) - local - slack_ticks);
}

bool Clocks::find_lead() {
  const double local = local_ticks(now_us_);
  if (!lead_.seeded() || lead_is_astray(local)) {
    if (!needs_.telemetry.rtt_known()) return false;  // the first echo has not arrived yet
    seed_lead(local);
  }
  needs_.telemetry.on_lead(lead_.predicted_even(local) - time_map_.observed_even(local));
  return true;
}

/// Whether the lead is implausibly far from the newest server tick: the local clock or the server
/// stopped for a while, or the path was much longer before. The worker's reports would show it,
/// too, but only once all packets on the longer path have arrived.
bool Clocks::lead_is_astray(double local) const {
  const double ahead_ticks = lead_.predicted_even(local) - time_map_.fastest_even(local);
  const double round_trip_ticks =
      static_cast<double>(needs_.telemetry.rtt_recent_us_max()) * ticks_per_us;
  const Settings& settings = needs_.settings;
  return ahead_ticks < -settings.skip_ticks || ahead_ticks > settings.lead_ticks_max ||
         (needs_.telemetry.rtt_known() &&
          ahead_ticks > round_trip_ticks + settings.lead.refused_early_ticks);
}

/// The newest received server tick is half a round trip old, and an input takes the other half.
void Clocks::seed_lead(double local) {
  lead_ = LeadControl(needs_.settings.lead);
  lead_.seed(local, time_map_.fastest_even(local) +
                        static_cast<double>(needs_.telemetry.rtt_us()) * ticks_per_us +
                        spare_ticks_at_start());
}

// A playout buffer has a reserve of its own.
double Clocks::spare_ticks_at_start() const {
  const Timeline timeline = needs_.techniques.timeline;
  return timeline == Timeline::Lead || timeline == Timeline::Suggested ? 2 : 0;
}

// The suggested timeline is allowed while nearly all inputs are late by at most P. Before that is
// known, the timeline is lead.
bool Clocks::suggestion_holds(double offset_ticks) {
  const auto late = lead_.late_ticks(offset_ticks);
  if (!late) return false;
  const double most = needs_.settings.suggestion_late_ticks_max;
  const bool holds = *late * time_map_.rate() <= (fell_back_ ? most - fall_back_band_ticks : most);
  if (!holds && !fell_back_) ++timeline_fallbacks_;
  fell_back_ = !holds;
  return holds;
}

void Clocks::advance(double elapsed_ticks) {
  const Techniques& techniques = needs_.techniques;
  const double local = local_ticks(now_us_);
  const double round_trip_ticks =
      static_cast<double>(needs_.telemetry.rtt_smoothed_us()) * ticks_per_us;
  const double server_even = time_map_.observed_even(local) + round_trip_ticks / 2;
  const bool shared = techniques.view == ViewTick::SharedClock;
  const double half_way_ticks = round_trip_ticks / 2 * time_map_.rate();
  time_map_.use_delay(shared ? std::optional(shared_clock_delay_ticks - half_way_ticks)
                             : std::nullopt);
  std::optional<double> aim;
  if (lead_.seeded() && techniques.timeline == Timeline::Suggested) {
    const double offset = server_even + techniques.suggested_ms * 1000.0 * ticks_per_us - local;
    if (suggestion_holds(offset)) aim = offset;
  } else if (lead_.seeded() && techniques.timeline != Timeline::Lead) {
    aim = server_even + round_trip_ticks / 2 - local;
  }
  lead_.aim(aim);
  time_map_.advance(local);
  lead_.limit(time_map_.fastest_even(local) - local + needs_.settings.lead_ticks_max);
  lead_.advance(elapsed_ticks);
}

}  // namespace perigee::client
