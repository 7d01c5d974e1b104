// Bodies that players steer: who sits where, and what the controls do. Bodies are never rewound, so
// an input that comes late has lost its tick: the held controls went on. (mission K40, K44)
#include <algorithm>

#include "observer_state.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

// The last promise counts: a helm that somebody is about to take is taken.
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
  PERIGEE_ASSERT(entity != nullptr && world_->type_of(*entity).helm.thrust_m_s2 > 0,
                 "a game hands out the helms of bodies that have one");
  const bool sits = (player.state.flags & actor_at_helm) != 0;
  if (player.pending || player.respawns || entity->remote || sits != (change == HelmChange::Leave))
    return false;
  if (change == HelmChange::Take && steered(body)) return false;
  if (change == HelmChange::Leave && player.parent != body) return false;
  return promise(player, {body, later_of(next_, target) + announce_ticks(player), change});
}

// After the game's own drives and before the bodies' step: a player's controls of this very tick.
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

// What hangs together is told relative to one of it: joints hold on the screen, too. (K18, K19)
void Core::express_chains_in_roots(Tick now) {
  chain_roots_.clear();
  for (const std::vector<Handle>& chain : world_->chains()) {
    chain_members_.clear();
    for (const Handle handle : chain) {
      const world::Entity* entity = world_->find(handle);
      if (entity == nullptr) continue;  // despawned since the last step
      chain_members_.push_back(
          {entity->id, handle, world_->type_of(*entity).mass_kg, steered(handle)});
    }
    const Handle root = world::chain_root(chain_members_);
    for (const world::ChainMember& member : chain_members_) {
      if (member.handle != root) chain_roots_.emplace_back(member.handle, root);
    }
  }
  if (chain_roots_.empty()) return;
  std::sort(chain_roots_.begin(), chain_roots_.end());
  for (replication::Published& entity : publication_) {
    const auto found = std::lower_bound(chain_roots_.begin(), chain_roots_.end(),
                                        std::pair{entity.handle, no_entity});
    if (found == chain_roots_.end() || found->first != entity.handle) continue;
    const auto root = world_->motion(found->second, now);
    if (!root) continue;
    entity.parent = found->second;
    entity.local = relative(root->pose, {entity.position, entity.world_rotation});
    entity.velocity = rotate_back(root->pose.rotation,
                                  entity.world_velocity - velocity_at(*root, entity.position));
  }
}

void Core::fill_helm(const Player& player, OwnSection& own) const {
  if ((player.state.flags & actor_at_helm) == 0 || world_->find(player.parent) == nullptr) return;
  own.helm = world_->chained(player.parent) ? HelmWord::Chained : HelmWord::Free;
  own.helm_thrust = player.helm.thrust;
}

}  // namespace perigee::worker
