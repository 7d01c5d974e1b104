// Effects of the techniques in use: the clocks, and the sending of packets.
#include <algorithm>

#include "perigee/client/client.hpp"

namespace perigee::client {
namespace {

constexpr double shared_clock_delay_ticks = 6;  // B2: 100 ms
/// A path that has become too long for the suggested timeline must get this much shorter before the
/// client returns to it.
constexpr double fall_back_band_ticks = 1;

}  // namespace

void Client::use(const Techniques& techniques) {
  PERIGEE_ASSERT(check(techniques).ok(), "techniques must be checked by the caller");
  settings_.techniques = techniques;  // from now on the game's defaults are not used any more
  techniques_ = techniques;
  prediction_.use(techniques);
  fell_back_ = false;
}

// Applies the game's default techniques for the avatar's type, if none were chosen for this player.
void Client::note_own_type(Handle avatar) {
  if (settings_.techniques) return;
  if (const ClientEntity* entity = entities_.find(avatar)) {
    use(entities_.type_of(*entity).techniques);
  }
}

// The worker names its own tick; the client's inputs name earlier ones if the worker delays them.
void Client::hear_of_switch(const ParentSwitchEvent& change) {
  ParentSwitchEvent named = change;
  named.effect = change.effect - delay_ticks_;
  prediction_.on_parent_switch(named);
}

// Allowed while nearly all inputs are late by at most P; before that is known: lead. (S3)
bool Client::suggestion_holds(double offset_ticks) {
  const auto late = lead_.late_ticks(offset_ticks);
  if (!late) return false;
  const double most = settings_.suggestion_late_ticks_max;
  const bool holds = *late * time_map_.rate() <= (fell_back_ ? most - fall_back_band_ticks : most);
  if (!holds && !fell_back_) ++timeline_fallbacks_;
  fell_back_ = !holds;
  return holds;
}

// A playout buffer has a reserve of its own.
double Client::spare_ticks_at_start() const {
  const Timeline timeline = techniques_.timeline;
  return timeline == Timeline::Lead || timeline == Timeline::Suggested ? 2 : 0;
}

// T_pred = T_server + U, and V behind T_server. (K28-K30, B2, S3)
void Client::advance_clocks(Micros now_us, double elapsed_ticks) {
  const double local = local_ticks(now_us);
  const double round_trip_ticks = static_cast<double>(telemetry_.rtt_smoothed_us()) * ticks_per_us;
  const double server_even = time_map_.observed_even(local) + round_trip_ticks / 2;
  const bool shared = techniques_.view == ViewTick::SharedClock;
  const double half_way_ticks = round_trip_ticks / 2 * time_map_.rate();
  time_map_.use_delay(shared ? std::optional(shared_clock_delay_ticks - half_way_ticks)
                             : std::nullopt);
  std::optional<double> aim;
  if (lead_.seeded() && techniques_.timeline == Timeline::Suggested) {
    const double offset = server_even + techniques_.suggested_ms * 1000.0 * ticks_per_us - local;
    if (suggestion_holds(offset)) aim = offset;
  } else if (lead_.seeded() && techniques_.timeline != Timeline::Lead) {
    aim = server_even + round_trip_ticks / 2 - local;
  }
  lead_.aim(aim);
  time_map_.advance(local);
  lead_.limit(time_map_.fastest_even(local) - local + settings_.lead_ticks_max);
  entities_.advance(elapsed_ticks * time_map_.rate(), time_map_.jitter_ticks() * time_map_.rate());
  lead_.advance(elapsed_ticks);
}

// V1: at its own period, independent of the frame rate.
bool Client::send_is_due(Micros now_us) {
  const Micros every_us = Micros{techniques_.send_every_ms} * 1000;
  if (every_us == 0) return true;
  if (now_us < next_send_us_) return false;
  next_send_us_ = std::max(next_send_us_ + every_us, now_us);
  return true;
}

// V2: all inputs since the last packet, and those that may not have arrived (V0).
void Client::write_inputs(ControlFrame& frame) {
  const bool repeats = techniques_.redundancy == Redundancy::AllUnacknowledged;
  const std::optional<Tick>& known = repeats ? echo_ : newest_sent_;
  for (Tick t = *newest_input_; !frame.inputs.full(); t = t - 1) {
    const PlayerInput* input = inputs_.find(t);
    if (input == nullptr || before(t, first_tick_)) break;
    if (known && !before(*known, t) && !frame.inputs.empty()) break;
    frame.inputs.push_back(*input);
    if (!ever_sent_ || before(*ever_sent_, t)) ++inputs_sent_;
  }
  newest_sent_ = newest_input_;
  ever_sent_ = ever_sent_ ? later_of(*ever_sent_, *newest_input_) : newest_input_;
}

}  // namespace perigee::client
