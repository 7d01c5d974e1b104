#include "perigee/worker/players/vehicle_control.hpp"

#include <algorithm>

namespace perigee::worker {

// Includes pending changes: a seat that a player is about to take counts as taken.
bool VehicleControl::steered(Handle body) const {
  for (const Player& player : needs_.players) {
    const bool sits = player.parent == body && (player.state.flags & actor_at_controls) != 0;
    const bool will_sit = player.pending && player.pending->parent == body &&
                          player.pending->vehicle == VehicleChange::Take;
    if (sits || will_sit) return true;
  }
  return false;
}

bool VehicleControl::announce(Player& player, Handle body, VehicleChange change, Tick target) {
  const world::Entity* entity = needs_.world.find(body);
  PERIGEE_ASSERT(entity != nullptr, "the vehicle must exist: accept_use checks it");
  const bool sits = (player.state.flags & actor_at_controls) != 0;
  if (player.pending || player.starts_elsewhere() || entity->remote ||
      sits != (change == VehicleChange::Leave))
    return false;
  if (change == VehicleChange::Take && steered(body)) return false;
  if (change == VehicleChange::Leave && player.parent != body) return false;
  const Tick effect = later_of(needs_.next, target) + needs_.switches.announce_ticks(player);
  return needs_.switches.announce(player, {body, effect, change});
}

void VehicleControl::drive(Tick tick) {
  for (Player& player : needs_.players) {
    bool sits = (player.state.flags & actor_at_controls) != 0;
    Handle body = player.parent;
    if (player.pending && player.pending->effect == tick) {
      if (player.pending->vehicle == VehicleChange::Take) player.vehicle = {};
      sits = player.pending->vehicle == VehicleChange::Take;
      body = player.pending->parent;
    }
    const world::Entity* entity = sits ? needs_.world.find(body) : nullptr;
    if (entity == nullptr || entity->remote) continue;
    const auto motion = needs_.world.motion(body, tick);
    if (!motion) continue;
    PlayerInput input = player.inputs.take(tick).input;
    const world::StepRecord* last = player.records.find(tick - 1);
    if (last != nullptr && last->wishes.muted) input = neutral(input, tick);
    const world::VehicleDrive drive =
        world::steer(needs_.world.type_of(*entity).vehicle, input, *motion, player.vehicle);
    needs_.world.set_drive(body, drive.velocity, drive.angular_velocity);
  }
}

void VehicleControl::fill_own(const Player& player, OwnSection& own) const {
  if ((player.state.flags & actor_at_controls) == 0 || needs_.world.find(player.parent) == nullptr)
    return;
  own.vehicle =
      needs_.world.chained(player.parent) ? VehiclePrediction::Chained : VehiclePrediction::Free;
  own.vehicle_thrust = player.vehicle.thrust;
}

}  // namespace perigee::worker
