#include "perigee/worker/players/claims.hpp"

namespace perigee::worker {

void Claims::check(Player& player) {
  const Tick final_now = player.inputs.final_before(needs_.next);
  for (; before(player.claims_checked, final_now); ++player.claims_checked) {
    const Tick at = player.claims_checked;
    const Claim* claim = player.claims.find(at);
    const world::StepRecord* led_there = player.records.find(at - 1);
    if (claim == nullptr || led_there == nullptr) continue;
    if (claim->parent != led_there->parent) {
      if (++player.other_parent_ticks > needs_.settings.reset_parent_ticks)
        return far_off(player, at);
      continue;
    }
    player.other_parent_ticks = 0;
    const double meters = distance(to_double(claim->position), led_there->after.position);
    if (meters > needs_.settings.misprediction_m) needs_.on_misprediction(player, at, meters);
    if (meters > needs_.settings.reset_m) return far_off(player, at);
    player.far_off_since.reset();
  }
}

void Claims::far_off(Player& player, Tick at) {
  if (player.far_off_since) return hard_reset(player);
  player.far_off_since = at;
  player.claims.clear();
}

void Claims::hard_reset(Player& player) {
  player.start_anew(needs_.next, needs_.settings.reset_rest_ticks);
  needs_.counts.add(metric.hard_resets);
}

}  // namespace perigee::worker
