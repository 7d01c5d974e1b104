#include "perigee/worker/players/parent_switches.hpp"

#include <algorithm>

namespace perigee::worker {

bool ParentSwitches::moves(Handle handle) const {
  const world::Entity* entity = needs_.world.find(handle);
  return entity != nullptr && needs_.world.type_of(*entity).kind != world::EntityKind::Static;
}

// A change would follow from a way that the player has not gone, and its announcement would come
// late, because the path carries nothing.
bool ParentSwitches::is_guessed(const Player& player) const {
  constexpr std::int32_t unheard_ticks = 8;  // later than by the jitter of usual paths
  const InputTimeline& inputs = player.inputs;
  if (inputs.gap_open()) return true;
  if (!inputs.techniques().rollback || !inputs.last_applied()) return false;
  const std::int32_t since_ticks = ticks_between(inputs.last_applied_at(), needs_.next);
  return since_ticks > unheard_ticks && since_ticks <= needs_.settings.inputs.gap_ticks_max;
}

void ParentSwitches::choose(Player& player) {
  const bool nobody_to_tell = player.lost && !player.npc();
  if (player.pending || nobody_to_tell || player.starts_elsewhere()) return;
  if ((player.state.flags & actor_at_controls) != 0) return;
  if (is_guessed(player)) return;
  const auto parent = needs_.world.motion(player.parent, needs_.next);
  if (!parent) return;
  world::ParentedActor actor;
  actor.parent = player.parent;
  actor.world = world::world_motion_of(player.state, *parent);
  actor.state = player.state;
  actor.mass_kg = player.params->mass_kg;
  needs_.world.parent_candidates(actor.world.pose.position, needs_.next, player.parent,
                                 candidates_);
  const Handle related = world::choose_parent(
      needs_.game.parenting(), actor, {candidates_.begin(), candidates_.size()}, player.tracker);
  const bool in_frame = player.inputs.techniques().relative_prediction || !moves(related);
  // Players without relative prediction are stepped in the world's frame.
  const Handle chosen = in_frame ? related : no_entity;
  if (chosen == player.parent) return;
  announce(player, {chosen, needs_.next + announce_ticks(player)});
}

std::int32_t ParentSwitches::announce_ticks(const Player& player) const {
  return std::clamp(player.ahead.longest_ticks() + 4, needs_.settings.announce_ticks_min,
                    needs_.settings.announce_ticks_max);
}

std::int32_t ParentSwitches::announce_ticks_near(const Vec3& place) const {
  constexpr double near_m = 100;  // a lift's way, and the way of a player until its effect
  std::int32_t longest = 0;
  for (const Player& player : needs_.players) {
    const auto at = player.lost ? std::nullopt : needs_.world.pose(player.avatar, needs_.next);
    if (!at || distance(at->position, place) > near_m) continue;
    longest = std::max(longest, announce_ticks(player));
  }
  return longest;
}

bool ParentSwitches::announce(Player& player, const PendingSwitch& change) {
  const ParentSwitchEvent event{player.avatar, change.parent, change.effect, player.switch_version,
                                change.vehicle};
  if (!player.npc() && !needs_.observers.send(player.session, event, true))
    return false;  // not announced: chosen again next tick
  ++player.switch_version;
  player.pending = change;
  needs_.counts.add(metric.parent_switches);
  return true;
}

}  // namespace perigee::worker
