#include "perigee/worker/snapshots/snapshots.hpp"

#include <algorithm>
#include <utility>

#include "perigee/worker/snapshots/timeline_history.hpp"

namespace perigee::worker {
namespace {

/// Of a body in the axes of another one, which may turn.
Vec3 velocity_aboard(const Motion& root, const Motion& body) {
  return rotate_back(root.pose.rotation, body.velocity - velocity_at(root, body.pose.position));
}

bool rests(world::EntityKind kind, const Motion& motion) {
  return kind == world::EntityKind::Body && length_squared(motion.velocity) < 1e-6 &&
         length_squared(motion.angular_velocity) < 1e-6;
}

}  // namespace

Snapshots::Snapshots(Needs needs) : needs_(std::move(needs)) {
  needs_.publisher.was_at = [this](Handle handle, Tick tick) { return was_at(handle, tick); };
  needs_.publisher.past_of = [this](Handle handle, Tick tick, Handle parent) {
    return past_of(handle, tick, parent);
  };
  needs_.publisher.news_of = [this](Handle object, const auto& visit) {
    visit_news_of(object, visit);
  };
}

std::optional<replication::PastPlace> Snapshots::was_at(Handle handle, Tick tick) const {
  const world::Entity* entity = needs_.world.find(handle);
  const auto motion = needs_.world.motion(handle, tick);
  if (entity == nullptr || !motion) return std::nullopt;
  const world::EntityType& type = needs_.world.type_of(*entity);
  return replication::PastPlace{transformed(motion->pose, type.shape->bounds()),
                                rests(type.kind, *motion)};
}

// For entities as express_in_parent() and express_in_root() express them.
std::optional<replication::PastMotion> Snapshots::past_of(Handle handle, Tick tick,
                                                          Handle parent) const {
  if (const Player* player = needs_.players.find_avatar(handle)) {
    const world::StepRecord* step = player->records.find(tick - 1);
    if (step == nullptr || (step->parent != parent && parent != no_entity)) return std::nullopt;
    const replication::PastMotion local{
        step->after.position, to_double(step->after.velocity), {}, {}};
    if (step->parent == parent) return local;
    const auto frame = needs_.world.motion(step->parent, tick);
    if (!frame) return std::nullopt;
    const Vec3 place = transform(frame->pose, local.position);
    return replication::PastMotion{
        place, velocity_at(*frame, place) + rotate(frame->pose.rotation, local.velocity), {}, {}};
  }
  const auto motion = needs_.world.motion(handle, tick);
  if (!motion || parent == no_entity) {
    return motion ? std::optional(replication::PastMotion{motion->pose.position, motion->velocity,
                                                          motion->pose.rotation,
                                                          motion->angular_velocity})
                  : std::nullopt;
  }
  const auto root = needs_.world.motion(parent, tick);
  if (!root) return std::nullopt;
  const Pose aboard = relative(root->pose, motion->pose);
  const Vec3 spin = motion->angular_velocity - root->angular_velocity;
  return replication::PastMotion{aboard.position, velocity_aboard(*root, *motion), aboard.rotation,
                                 rotate_back(root->pose.rotation, spin)};
}

void Snapshots::visit_news_of(Handle object,
                              const std::function<void(const WorldEvent&)>& visit) const {
  const Player* player = needs_.players.find_avatar(object);
  if (player != nullptr && !player->account.name.empty()) {
    visit(PlayerNameEvent{object, player->account.name});
  }
  if (const auto state = needs_.game_states.newest(object)) visit(*state);
  const world::TimelineLog* log = needs_.world.timeline(object);
  if (log == nullptr) return;
  if (log->size() == 0 && log->last_version() != 0) {
    // All announced changes are finished and dropped. The version shows that none is missing.
    const std::int32_t ticks = needs_.world.type_of(*needs_.world.find(object)).travel.ticks;
    const Tick done = needs_.next - std::max(ticks, world::timeline_look_back_ticks);
    visit(TimelineEvent{object, done, log->base_goal(), log->last_version()});
  }
  const TimelineHistory sent = history_to_send(*needs_.world.find(object));
  for (std::size_t i = sent.first; i < log->size(); ++i) {
    const world::TimelineChange& change = (*log)[i];
    visit(TimelineEvent{change.object, change.effect, change.goal, change.version});
  }
}

TimelineHistory Snapshots::history_to_send(const world::Entity& timeline) const {
  return timeline_history(needs_.world.type_of(timeline).travel,
                          *needs_.world.timeline(timeline.handle),
                          needs_.next - world::timeline_look_back_ticks);
}

// Chained bodies are sent relative to one of them, so that joints look closed on the client.
void Snapshots::list_chain_roots() {
  const auto before = std::exchange(chain_roots_, {});
  for (const std::vector<Handle>& chain : needs_.world.chains()) {
    chain_members_.clear();
    for (const Handle handle : chain) {
      const world::Entity* entity = needs_.world.find(handle);
      if (entity == nullptr) continue;  // despawned since the last step
      chain_members_.push_back({entity->id, handle, needs_.world.type_of(*entity).mass_kg,
                                needs_.vehicles.steered(handle)});
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
      needs_.world.report_again(member);
      needs_.world.report_again(root);
    }
  }
}

void Snapshots::express_in_root(replication::Published& entity, Tick now) const {
  const auto found = std::lower_bound(chain_roots_.begin(), chain_roots_.end(),
                                      std::pair{entity.handle, no_entity});
  if (found == chain_roots_.end() || found->first != entity.handle) return;
  const auto root = needs_.world.motion(found->second, now);
  if (!root) return;
  entity.parent = found->second;
  entity.jointed = true;
  entity.local = relative(root->pose, {entity.position, entity.world_rotation});
  const Motion motion{{entity.position, entity.world_rotation}, entity.world_velocity, {}, {}, {}};
  entity.velocity = velocity_aboard(*root, motion);
  entity.angular_velocity =
      rotate_back(root->pose.rotation, entity.world_angular_velocity - root->angular_velocity);
}

// Actors are sent in their parent's frame, where their motion is smooth.
void Snapshots::express_in_parent(replication::Published& entity, Tick now) const {
  const Player* player = needs_.players.find_avatar(entity.handle);
  if (player == nullptr) return;
  entity.parent = player->parent;
  entity.local = {player->state.position, player->yaw_rotation()};
  entity.velocity = to_double(player->state.velocity);
  if (const auto parent = needs_.world.motion(player->parent, now)) {
    entity.world_rotation = parent->pose.rotation * entity.local.rotation;
  }
}

replication::Published Snapshots::published(const world::Entity& entity, const Motion& motion,
                                            const world::Bounds& bounds, Tick now) const {
  const world::EntityType& type = needs_.world.type_of(entity);
  replication::Published out;
  out.identity = entity.id.bits;
  out.handle = entity.handle;
  out.type = entity.type;
  out.respawns = entity.respawns;
  out.streams = type.kind == world::EntityKind::Body || type.kind == world::EntityKind::Actor;
  out.position = motion.pose.position;
  out.local = motion.pose;
  out.velocity = motion.velocity;
  out.angular_velocity = motion.angular_velocity;
  out.world_rotation = motion.pose.rotation;
  out.world_velocity = motion.velocity;
  out.world_angular_velocity = motion.angular_velocity;
  out.turn = type.kind == world::EntityKind::Actor ? TrackTurn::Yaw : TrackTurn::Full;
  out.radius_m = type.shape->reach_m();
  out.spin_damping_per_s = type.spin_damping_per_s;
  out.visible_m = world::visible_m(type.size);
  out.bounds = bounds;
  out.resting = rests(type.kind, motion);
  if (type.kind == world::EntityKind::Timeline) {
    out.parent = entity.parent;
    out.goal = history_to_send(entity).goal;
    out.local = entity.local;
  }
  if (type.kind == world::EntityKind::Actor) express_in_parent(out, now);
  if (!chain_roots_.empty()) express_in_root(out, now);
  return out;
}

void Snapshots::gather(Tick now) {
  list_chain_roots();
  needs_.publisher.begin(now);
  needs_.own_state.settle();
  needs_.world.take_news(
      [&](const world::Entity& entity, const Motion& motion, const world::Bounds& bounds) {
        if (needs_.world.type_of(entity).everywhere) return;  // clients get its state alone
        needs_.publisher.put(published(entity, motion, bounds, now));
      },
      [&](Handle gone) {
        needs_.publisher.remove(gone);
        needs_.on_gone(gone);
      });
  needs_.publisher.finish();
  adopt_known();
}

// Called while publishing: entities that have arrived since the last call are now in the
// publication. Fixtures have no records that name their owner.
void Snapshots::adopt_known() {
  for (const auto& [handle, tracks] : tracks_elsewhere_) {
    needs_.publisher.adopt_tracks(handle, tracks);
  }
  tracks_elsewhere_.clear();
  for (const auto& [session, handle, has] : known_elsewhere_) {
    ObserverState* state = needs_.observers.find(session);
    if (state == nullptr) continue;
    replication::Observer& observer = state->observer;
    if (needs_.world.fixtures(handle)) {
      needs_.publisher.adopt_fixture(observer, handle);
    } else {
      needs_.publisher.adopt(observer, handle, has);
    }
    // A change that its former owner has not delivered would be lost with that worker. Without room
    // the entity is spawned again, with its state. The client has it, so it stays known meanwhile.
    const auto game = needs_.game_states.newest(handle);
    if (game && !needs_.observers.send(session, *game, false)) {
      needs_.publisher.owe_whole(observer, handle);
    }
  }
  known_elsewhere_.clear();
}

void Snapshots::send(Tick now) {
  BlockHeader header;
  header.cluster_id = static_cast<std::uint16_t>(needs_.cluster.map().cluster_id);
  header.tick = now;
  const replication::BlockSink sink = [this](SessionId session, std::uint8_t priority,
                                             std::span<const std::byte> bytes) {
    const GatewayEntry* gateway = needs_.cluster.gateway_of(session);
    if (gateway == nullptr) return;
    if (!needs_.fabric.add(gateway->fabric, BlockRecord{session, priority, bytes})) {
      needs_.counts.add(metric.blocks_oversized);
    }
  };
  for (auto& [session, state] : needs_.observers) {
    if (!state->in_force || !needs_.publisher.serves(state->observer)) continue;
    Player* player = needs_.players.find(session);
    if (player == nullptr) {
      needs_.publisher.write_blocks(state->observer, header, nullptr, sink);
    } else {
      needs_.game_states.tell_world(session, *state);
      OwnSection own;
      needs_.own_state.fill(*player, state->observer.sent, own);
      needs_.chunk_sender.list(*state, *player, own);
      if (own.speculative()) needs_.counts.add(metric.speculative_states);
      player->margins = {};
      const replication::OwnUpdate update{own, player->told.basis(state->observer.sent, now)};
      own.exact = update.basis == nullptr || player->told.exact_due(now);
      if (!own.exact) own.final_state = rounded(own.final_state);
      needs_.publisher.write_blocks(state->observer, header, &update, sink);
      player->told.note(own, now);
    }
    if (state->observer.turn(now, replication::choice_ticks))
      needs_.observer_records.tally(*state, now);
  }
}

}  // namespace perigee::worker
