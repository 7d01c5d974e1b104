// Replication of a tick: the entities that changed, and the blocks for each observer.
#include <algorithm>
#include <utility>

#include "ghosts.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/told_log.hpp"

namespace perigee::worker {

// Chained bodies are sent relative to one of them, so that joints look closed on the client. (K18,
// K19)
void Core::list_chain_roots() {
  const auto before = std::exchange(chain_roots_, {});
  for (const std::vector<Handle>& chain : world_->chains()) {
    chain_members_.clear();
    for (const Handle handle : chain) {
      const world::Entity* entity = world_->find(handle);
      if (entity == nullptr) continue;  // despawned since the last step
      chain_members_.push_back(
          {entity->id, handle, world_->type_of(*entity).mass_kg, vehicles_->steered(handle)});
    }
    const Handle root = world::chain_root(chain_members_);
    for (const world::ChainMember& member : chain_members_) {
      if (member.handle != root) chain_roots_.emplace_back(member.handle, root);
    }
  }
  std::sort(chain_roots_.begin(), chain_roots_.end());
  if (chain_roots_ == before) return;
  for (const auto* roots : {&before, &std::as_const(chain_roots_)}) {
    for (const auto& [member, root] : *roots) {
      world_->tell_again(member);
      world_->tell_again(root);
    }
  }
}

void Core::express_in_root(replication::Published& entity, Tick now) const {
  const auto found = std::lower_bound(chain_roots_.begin(), chain_roots_.end(),
                                      std::pair{entity.handle, no_entity});
  if (found == chain_roots_.end() || found->first != entity.handle) return;
  const auto root = world_->motion(found->second, now);
  if (!root) return;
  entity.parent = found->second;
  entity.local = relative(root->pose, {entity.position, entity.world_rotation});
  entity.velocity =
      rotate_back(root->pose.rotation, entity.world_velocity - velocity_at(*root, entity.position));
}

// Actors are sent in their parent's frame, where their motion is smooth. (K18, K39)
void Core::express_in_parent(replication::Published& entity, Tick now) const {
  const Player* player = players_.find_avatar(entity.handle);
  if (player == nullptr) return;
  entity.parent = player->parent;
  entity.local = {player->state.position, player->yaw_rotation()};
  entity.velocity = to_double(player->state.velocity);
  if (const auto parent = world_->motion(player->parent, now)) {
    entity.world_rotation = parent->pose.rotation * entity.local.rotation;
  }
}

bool Core::rests(world::EntityKind kind, const Motion& motion) {
  return kind == world::EntityKind::Body && length_squared(motion.velocity) < 1e-6 &&
         length_squared(motion.angular_velocity) < 1e-6;
}

replication::Published Core::published(const world::Entity& entity, const Motion& motion,
                                       const world::Bounds& bounds, Tick now) const {
  const world::EntityType& type = world_->type_of(entity);
  replication::Published out;
  out.identity = entity.id.bits;
  out.handle = entity.handle;
  out.type = entity.type;
  out.life = entity.life;
  out.streams = type.kind == world::EntityKind::Body || type.kind == world::EntityKind::Actor;
  out.position = motion.pose.position;
  out.local = motion.pose;
  out.velocity = motion.velocity;
  out.world_rotation = motion.pose.rotation;
  out.world_velocity = motion.velocity;
  out.visible_m = world::visible_m(type.size);
  out.bounds = bounds;
  out.resting = rests(type.kind, motion);
  if (type.kind == world::EntityKind::Timeline) {
    out.parent = entity.parent;
    out.goal = log_to_tell(entity).goal;
    out.local = entity.local;
  }
  if (type.kind == world::EntityKind::Actor) express_in_parent(out, now);
  if (!chain_roots_.empty()) express_in_root(out, now);
  return out;
}

void Core::gather_news(Tick now) {
  list_chain_roots();
  publisher_.begin(now);
  world_->take_news(
      [&](const world::Entity& entity, const Motion& motion, const world::Bounds& bounds) {
        publisher_.put(published(entity, motion, bounds, now));
      },
      [&](Handle gone) {
        publisher_.remove(gone);
        if (ghosts_) ghosts_->no_more(gone);
      });
  publisher_.finish();
}

void Core::publish(Tick now) {
  gather_news(now);
  adopt_known();
  ended(TickPhase::Gather);
  BlockHeader header;
  header.incarnation = static_cast<std::uint16_t>(map_.incarnation);
  header.tick = now;
  const replication::BlockSink sink = [this](SessionId session, std::uint8_t priority,
                                             std::span<const std::byte> bytes) {
    const GatewayEntry* gateway = cluster_.gateway_of(session);
    if (gateway == nullptr) return;
    if (!fabric_.add(gateway->fabric, BlockRecord{session, priority, bytes})) {
      drop(Count::BlocksOversized);
    }
  };
  for (auto& [session, state] : observers_) {
    if (!state->in_force || !publisher_.serves(state->observer)) continue;
    Player* player = players_.find(session);
    if (player == nullptr) {
      publisher_.write_blocks(state->observer, header, nullptr, sink);
    } else {
      OwnSection own;
      own_state_->fill(*player, own);
      chunk_sender_->list(*state, *player, own);
      if (own.speculative) counts_.add(Count::SpeculativeStates);
      player->margins = {};
      publisher_.write_blocks(state->observer, header, &own, sink);
    }
    if (state->observer.turn(now, replication::choice_ticks)) tally(*state, now);
  }
}

}  // namespace perigee::worker
