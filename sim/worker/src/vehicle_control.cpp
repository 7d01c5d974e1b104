#include "perigee/worker/vehicle_control.hpp"

#include <algorithm>

namespace perigee::worker {

// Includes pending changes: a helm that a player is about to take counts as taken.
bool VehicleControl::steered(Handle body) const {
  for (const Player& player : needs_.players) {
    const bool sits = player.parent == body && (player.state.flags & actor_at_helm) != 0;
    const bool will_sit = player.pending && player.pending->parent == body &&
                          player.pending->helm == HelmChange::Take;
    if (sits || will_sit) return true;
  }
  return false;
}

bool VehicleControl::announce(Player& player, Handle body, HelmChange change, Tick target) {
  const world::Entity* entity = needs_.world.find(body);
  PERIGEE_ASSERT(entity != nullptr, "the vehicle must exist: accept_use checks it");
  const bool sits = (player.state.flags & actor_at_helm) != 0;
  if (player.pending || player.respawns || entity->remote || sits != (change == HelmChange::Leave))
    return false;
  if (change == HelmChange::Take && steered(body)) return false;
  if (change == HelmChange::Leave && player.parent != body) return false;
  const Tick effect = later_of(needs_.next, target) + needs_.switches.announce_ticks(player);
  return needs_.switches.announce(player, {body, effect, change});
}

void VehicleControl::drive(Tick tick) {
  for (Player& player : needs_.players) {
    bool sits = (player.state.flags & actor_at_helm) != 0;
    Handle body = player.parent;
    if (player.pending && player.pending->effect == tick) {
      if (player.pending->helm == HelmChange::Take) player.helm = {};
      sits = player.pending->helm == HelmChange::Take;
      body = player.pending->parent;
    }
    const world::Entity* entity = sits ? needs_.world.find(body) : nullptr;
    if (entity == nullptr || entity->remote) continue;
    const auto motion = needs_.world.motion(body, tick);
    if (!motion) continue;
    PlayerInput input = player.inputs.take(tick).input;
    const world::StepRecord* last = player.records.find(tick - 1);
    if (last != nullptr && last->wishes.muted) input = neutral(input, tick);
    const world::HelmDrive drive =
        world::steer(needs_.world.type_of(*entity).helm, input, *motion, player.helm);
    needs_.world.set_drive(body, drive.velocity, drive.angular_velocity);
  }
}

void VehicleControl::fill_own(const Player& player, OwnSection& own) const {
  if ((player.state.flags & actor_at_helm) == 0 || needs_.world.find(player.parent) == nullptr)
    return;
  own.helm = needs_.world.chained(player.parent) ? HelmWord::Chained : HelmWord::Free;
  own.helm_thrust = player.helm.thrust;
}

}  // namespace perigee::worker
