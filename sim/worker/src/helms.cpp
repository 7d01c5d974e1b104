// Vehicle control: which player sits at which helm, and how its controls drive the body. Bodies are
// never rewound, so a late input has no effect on them: the held controls continued. (mission K40,
// K44)
#include <algorithm>

#include "observer_state.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

// Includes pending changes: a helm that a player is about to take counts as taken.
bool Core::steered(Handle body) const {
  for (const auto& [session, player] : players_) {
    const bool sits = player->parent == body && (player->state.flags & actor_at_helm) != 0;
    const bool will_sit = player->pending && player->pending->parent == body &&
                          player->pending->helm == HelmChange::Take;
    if (sits || will_sit) return true;
  }
  return false;
}

bool Core::promise_helm(Player& player, Handle body, HelmChange change, Tick target) {
  const world::Entity* entity = world_->find(body);
  PERIGEE_ASSERT(entity != nullptr, "the vehicle must exist: accept_use checks it");
  const bool sits = (player.state.flags & actor_at_helm) != 0;
  if (player.pending || player.respawns || entity->remote || sits != (change == HelmChange::Leave))
    return false;
  if (change == HelmChange::Take && steered(body)) return false;
  if (change == HelmChange::Leave && player.parent != body) return false;
  return promise(player, {body, later_of(next_, target) + announce_ticks(player), change});
}

// Called after the game's own drives and before the bodies' step, with the players' controls of
// this tick.
void Core::steer_bodies(Tick tick) {
  for (auto& [session, player] : players_) {
    bool sits = (player->state.flags & actor_at_helm) != 0;
    Handle body = player->parent;
    if (player->pending && player->pending->effect == tick) {
      if (player->pending->helm == HelmChange::Take) player->helm = {};
      sits = player->pending->helm == HelmChange::Take;
      body = player->pending->parent;
    }
    const world::Entity* entity = sits ? world_->find(body) : nullptr;
    if (entity == nullptr || entity->remote) continue;
    const auto motion = world_->motion(body, tick);
    if (!motion) continue;
    PlayerInput input = player->inputs.take(tick).input;
    const world::StepRecord* last = player->records.find(tick - 1);
    if (last != nullptr && last->wishes.muted) input = neutral(input, tick);
    const world::HelmDrive drive =
        world::steer(world_->type_of(*entity).helm, input, *motion, player->helm);
    world_->set_drive(body, drive.velocity, drive.angular_velocity);
  }
}

void Core::fill_helm(const Player& player, OwnSection& own) const {
  if ((player.state.flags & actor_at_helm) == 0 || world_->find(player.parent) == nullptr) return;
  own.helm = world_->chained(player.parent) ? HelmWord::Chained : HelmWord::Free;
  own.helm_thrust = player.helm.thrust;
}

}  // namespace perigee::worker
