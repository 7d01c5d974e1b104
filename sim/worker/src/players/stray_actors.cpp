#include "perigee/worker/players/stray_actors.hpp"

#include <algorithm>

namespace perigee::worker {

StrayActors::StrayActors(Needs needs)
    : needs_(needs),
      has_gravity_(std::any_of(
          needs.world.types().begin(), needs.world.types().end(),
          [](const world::EntityType& type) { return type.gravity.acceleration != Vec3{}; })) {}

void StrayActors::note(world::GameValue value, const Player& player) const {
  const auto at = needs_.world.pose(player.avatar, needs_.next);
  world::GameFault fault{.value = value, .entity = player.avatar, .tick = needs_.next};
  fault.type = needs_.world.find(player.avatar)->type;
  if (at) fault.place = at->position;
  needs_.world.game_faults().note(fault);
}

// The game may push an actor along where nothing pulls it.
bool StrayActors::is_adrift(const Player& player) const {
  const world::StepRecord* record = player.records.find(needs_.next - 1);
  if (record == nullptr || record->wishes.impulse != Vec3{}) return false;
  const world::GravityBox& gravity = record->frame.gravity;
  return gravity.acceleration == Vec3{} || !gravity.inside.contains(player.state.position);
}

void StrayActors::after_step(Player& player) {
  constexpr std::uint8_t steered = actor_jetpack | actor_at_controls;
  Straying& straying = player.straying;
  const bool stands = (player.state.flags & actor_grounded) != 0;
  straying.flew = !stands && (straying.flew || (player.state.flags & steered) != 0);
  const bool adrift = has_gravity_ && !stands && !straying.flew && is_adrift(player);
  straying.adrift_ticks = adrift ? std::min(straying.adrift_ticks + 1, adrift_ticks_max + 1) : 0;
  if (straying.adrift_ticks == adrift_ticks_max) note(world::GameValue::ActorAdrift, player);

  if ((needs_.next.count + player.avatar) % outside_ticks != 0) return;
  const auto at = needs_.world.pose(player.avatar, needs_.next);
  const bool outside = at && !needs_.checked_game.in_the_world(at->position);
  if (outside && !straying.outside) note(world::GameValue::ActorOutside, player);
  straying.outside = outside;
}

}  // namespace perigee::worker
