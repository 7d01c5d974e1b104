#include "perigee/worker/players/open_gaps.hpp"

namespace perigee::worker {

OpenGaps::OpenGaps(const Needs& needs)
    : needs_(needs), pool_(std::make_shared<StepPool>(needs.settings.gap_steps_max)) {}

void OpenGaps::after_tick() {
  for (Player& player : needs_.players) update(player);
}

void OpenGaps::forget_final() {
  for (Player& player : needs_.players) {
    if (!player.records.kept_from()) continue;
    // The state at the gap's beginning is the newest final one.
    const bool open = player.inputs.gap_open();
    player.records.keep_from(open ? std::optional(player.inputs.final_before(needs_.next) - 1)
                                  : std::nullopt);
  }
}

/// Packets of the client arrive, however late.
bool OpenGaps::heard(const Player& player) const {
  constexpr std::int32_t lately_ticks = 20;
  return ticks_between(player.received, needs_.next) <= lately_ticks;
}

/// The newest input that was applied came in time.
bool OpenGaps::in_time(const Player& player) const {
  return player.inputs.last_applied() &&
         ticks_between(player.inputs.last_applied_at(), needs_.next) <=
             needs_.settings.inputs.window_ticks;
}

// A body that the player steers does not run again, and so its motion cannot follow late inputs.
bool OpenGaps::may_open(const Player& player) const {
  const std::int32_t window_ticks = needs_.settings.inputs.window_ticks;
  const Tick left_window = needs_.next - 1 - window_ticks;
  // A client that repeats nothing cannot fill a gap.
  constexpr std::int32_t repeats_ticks = 240;
  const bool repeats =
      player.repeated && ticks_between(*player.repeated, needs_.next) < repeats_ticks;
  const bool allowed = repeats && needs_.settings.inputs.gap_ticks_max > window_ticks &&
                       !player.lost && !player.gap_replays.spent() &&
                       (player.state.flags & actor_at_controls) == 0;
  const bool late = heard(player) && player.inputs.last_applied() && !in_time(player);
  return allowed && player.inputs.missing(left_window) &&
         (late || player.inputs.gap_begins(left_window));
}

// While packets arrive, an input that is missing for too long is lost, and the gap begins after it.
// It is lost sooner if later ones come in time: then the client has nothing for its tick.
Tick OpenGaps::give_up_oldest(Player& player) const {
  constexpr std::int32_t in_time_ticks_max = 60;
  player.in_time_ticks = in_time(player) ? player.in_time_ticks + 1 : 0;
  Tick missing = player.inputs.final_before(needs_.next);
  const auto age_ticks = [&] { return ticks_between(missing, needs_.next); };
  while (heard(player) && age_ticks() > needs_.settings.inputs.window_ticks &&
         (age_ticks() >= needs_.settings.inputs.gap_ticks_max ||
          player.in_time_ticks > in_time_ticks_max)) {
    player.inputs.keep_open(missing + 1);
    missing = player.inputs.final_before(needs_.next);
  }
  return missing;
}

void OpenGaps::update(Player& player) {
  if (!player.inputs.gap_open()) {
    if (player.records.kept_from()) close(player);  // it started anew
    if (!may_open(player)) return;
    player.records.use(pool_);
    player.in_time_ticks = 0;
    player.inputs.keep_open(needs_.next - 1 - needs_.settings.inputs.window_ticks);
    needs_.counts.add(metric.gaps_opened);
  }
  const Tick missing = give_up_oldest(player);
  if (ticks_between(missing, needs_.next) <= needs_.settings.inputs.window_ticks) {
    return close(player);  // filled
  }
  const Tick needed = missing - 1;
  if (!player.records.kept_from()) player.records.keep_from(needed);
  const bool lost = before(needed, *player.records.kept_from());
  if (lost || player.gap_ends) {
    needs_.counts.add(metric.gaps_given_up);
    return close(player);
  }
  const bool steers = (player.state.flags & actor_at_controls) != 0;
  player.gap_ends = steers || player.gap_replays.spent() ||
                    ticks_between(missing, needs_.next) >= needs_.settings.inputs.gap_ticks_max;
  player.inputs.keep_open(missing);
}

void OpenGaps::close(Player& player) {
  player.gap_ends = false;
  player.inputs.close_gap();
  const Tick recent = needs_.next - static_cast<std::int32_t>(Player::records_ticks);
  for (Tick t = needs_.next - static_cast<std::int32_t>(TickSet::capacity_ticks);
       not_after(t, recent); ++t) {
    player.wrong.remove(t);
    player.reread.remove(t);
  }
}

}  // namespace perigee::worker
