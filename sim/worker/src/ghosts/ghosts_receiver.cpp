// The receiver's half: a peer's stream, in order or from its beginning, becomes remote entities.
#include <algorithm>
#include <cmath>

#include "ghosts/ghosts.hpp"

namespace perigee::worker {
namespace {

using world::EntityKind;

bool newer(std::uint32_t a, std::uint32_t b) { return static_cast<std::int32_t>(a - b) > 0; }

void stand(world::World& world, Handle actor, const world::ActorTrace& trace, Tick at) {
  const ActorState state{.position = trace.position, .velocity = to_float(trace.velocity)};
  world.set_actor(actor, trace.parent, state, at);
}

bool turned_well(const Pose& pose) {
  const Quat& q = pose.rotation;
  return std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-3;
}

}  // namespace

void Ghosts::on_news(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  GhostHead head;
  if (!walk(reader, head)) return needs_.counts.add(metric.drop_malformed);
  const WorkerEntry* peer = needs_.cluster.map().worker(from);
  if (!needs_.cluster.is_peer(from, head.incarnation, head.cluster_id))
    return needs_.counts.add(metric.drop_unknown_sender);
  Receiving& receiving = received_[from];
  if (std::abs(ticks_between(head.tick, needs_.next)) > skew_ticks_max) {
    // A new epoch would arrive just as late. The first message that is in time reveals the gap:
    // then the new epoch is requested.
    return needs_.counts.add(metric.ghost_news_late);
  }
  receiving.cluster_id = head.cluster_id;
  receiving.incarnation = head.incarnation;
  receiving.handle_base = peer->handle_base;
  if (!in_order(from, receiving, head)) return;
  if (!receive(reader, receiving, from, head.tick)) {
    needs_.counts.add(metric.drop_malformed);
    receiving.next = 0;  // drops the rest of this epoch
    return ask_again(from, receiving, head.epoch);
  }
  receiving.received = needs_.next;
  receiving.out_of_region = head.out_of_region;
  if (const auto sending = sent_.find(from); sending != sent_.end()) {
    sending->second.out_of_region = head.out_of_region;
  }
  if (!head.whole) return;
  if (!std::exchange(receiving.swept, true)) sweep(receiving);
  if (receiving.refused) return;
  receiving.whole = needs_.next;
  receiving.whole_of = head.tick;
}

bool Ghosts::in_order(WorkerSlot from, Receiving& receiving, const GhostHead& head) {
  if (receiving.epoch && newer(*receiving.epoch, head.epoch)) return false;
  if (receiving.epoch != head.epoch && head.sequence == 0) {
    receiving.epoch = head.epoch;
    receiving.next = 0;
    receiving.swept = receiving.refused = false;
    receiving.asked.reset();
    receiving.disputed.reset();
  }
  if (receiving.epoch == head.epoch && head.sequence == receiving.next) {
    ++receiving.next;
    return true;
  }
  const bool known = receiving.epoch == head.epoch && head.sequence < receiving.next;
  if (!known) ask_again(from, receiving, head.epoch);
  return false;
}

void Ghosts::ask_again(WorkerSlot from, Receiving& receiving, std::uint32_t epoch) {
  if (receiving.asked && ticks_between(*receiving.asked, needs_.next) < again_ticks) return;
  receiving.asked = needs_.next;
  needs_.counts.add(metric.ghost_streams_lost);
  std::array<std::byte, 16> bytes;
  ByteWriter writer(bytes);
  const GhostsAgain again{needs_.cluster.map().cluster_id, epoch};
  const bool fits = put(writer, PeerKind::GhostsAgain) && walk_again(writer, again);
  PERIGEE_ASSERT(fits, "the buffer is too small for the message");
  if (needs_.outputs.to_peer) needs_.outputs.to_peer(from, writer.written());
}

bool Ghosts::receive(ByteReader& reader, Receiving& receiving, WorkerSlot from, Tick at) {
  world::World& world = needs_.world;
  while (!reader.at_end()) {
    GhostRecord kind{};
    if (!reader.enumerator(kind, GhostRecord::last)) return false;
    if (kind == GhostRecord::Thing) {
      GhostThing thing;
      if (!walk_thing(reader, thing, world.types()) || !turned_well(thing.entity.local) ||
          !turned_well(thing.motion.pose)) {
        return false;
      }
      receive_thing(thing, receiving, from, at);
      continue;
    }
    if (kind == GhostRecord::Chunk) {
      if (!receive_chunk(reader, receiving)) return false;
      continue;
    }
    if (kind == GhostRecord::State) {
      if (!receive_state(reader, receiving)) return false;
      continue;
    }
    Handle handle = no_entity;
    if (!reader.number(handle)) return false;
    if (kind == GhostRecord::Gone) {
      if (receiving.things.contains(handle)) let_go(receiving, handle);
    } else if (kind == GhostRecord::Motion) {
      Motion motion;
      if (!world::walk_motion(reader, motion) || !turned_well(motion.pose)) return false;
      if (known(receiving, handle, EntityKind::Body)) world.set_remote_motion(handle, at, motion);
    } else {
      world::ActorTrace trace;
      if (!world::walk_trace(reader, trace)) return false;
      if (known(receiving, handle, EntityKind::Actor)) stand(world, handle, trace, at);
    }
  }
  return true;
}

bool Ghosts::receive_chunk(ByteReader& reader, const Receiving& receiving) {
  GhostChunk sent;
  if (!walk_ghost_chunk(reader, sent)) return false;
  if (!known(receiving, sent.patch, EntityKind::Static)) return true;
  world::VoxelPatch* patch = needs_.world.voxels(sent.patch);
  if (patch == nullptr || sent.chunk >= patch->plan().chunks()) return false;
  patch->replace(sent.chunk, sent.version, sent.bits);
  return true;
}

bool Ghosts::receive_state(ByteReader& reader, const Receiving& receiving) {
  GhostState sent;
  if (!walk_ghost_state(reader, sent)) return false;
  if (receiving.things.contains(sent.thing)) {
    needs_.world.set_remote_state(sent.thing, sent.state);
  }
  return true;
}

bool Ghosts::known(const Receiving& receiving, Handle handle, EntityKind kind) const {
  if (!receiving.things.contains(handle)) return false;
  const world::Entity* entity = needs_.world.find(handle);
  return entity != nullptr && needs_.world.type_of(*entity).kind == kind;
}

void Ghosts::receive_thing(const GhostThing& thing, Receiving& receiving, WorkerSlot from,
                           Tick at) {
  world::World& world = needs_.world;
  const world::Entity& sent = thing.entity;
  const world::Entity* here = world.find(sent.handle);
  if (here != nullptr && !here->remote) return;  // the entity was migrated here in the meantime
  if (const auto other = owner_of(sent.handle); other && *other != from) {
    // An entity has one owner at each tick. Messages of the former owner may arrive later, but a
    // successor of a dead worker may also be behind.
    const Ghost& known = received_[*other].things[sent.handle];
    if (!known.sent && not_after(at, known.owned_at)) {
      if (!receiving.disputed) receiving.disputed = needs_.next;
      receiving.refused = true;
      return;
    }
    received_[*other].things.erase(sent.handle);
  }
  const bool timeline = world.types()[sent.type].kind == EntityKind::Timeline;
  const bool same = here != nullptr && here->id == sent.id && here->type == sent.type &&
                    (!timeline || here->parent == sent.parent);
  if (here != nullptr && !same) world.despawn(sent.handle);
  // A door without its ship has no place.
  const bool carried = !timeline || sent.parent == no_entity || world.find(sent.parent) != nullptr;
  world::SpawnOrder order{.id = sent.id,
                          .type = sent.type,
                          .handle = sent.handle,
                          .respawns = sent.respawns,
                          .parent = sent.parent,
                          .local = sent.local,
                          .remote = true};
  if (world.types()[sent.type].kind == EntityKind::Body && thing.motion.rests()) {
    order.rests = true;
    order.at = thing.motion.pose;
  }
  if (world.types()[sent.type].kind == EntityKind::Actor) {
    order.parent = thing.trace.parent;
    order.local.position = thing.trace.position;
  }
  const bool spawned = same || (carried && world.spawn(order) != no_entity);
  if (!spawned) {
    receiving.refused = true;
    receiving.things.erase(sent.handle);
    return needs_.counts.add(metric.ghosts_refused);
  }
  receiving.things[sent.handle] = {.epoch = *receiving.epoch, .owned_at = at};
  place(thing, at);
}

void Ghosts::place(const GhostThing& thing, Tick at) {
  world::World& world = needs_.world;
  const Handle handle = thing.entity.handle;
  world.set_remote_state(handle, thing.state);
  switch (world.types()[thing.entity.type].kind) {
    case EntityKind::Static:
      return;
    case EntityKind::Body:
      return world.set_remote_motion(handle, at, thing.motion);
    case EntityKind::Actor:
      return stand(world, handle, thing.trace, at);
    case EntityKind::Timeline:
      return world.set_remote_log(handle, thing.log);
  }
}

bool Ghosts::knows_all_of(WorkerSlot peer) const {
  const auto found = received_.find(peer);
  return found != received_.end() && found->second.whole &&
         ticks_between(*found->second.whole, needs_.next) <= fresh_ticks;
}

bool Ghosts::knows_all_of(WorkerSlot peer, Tick tick) const {
  const auto found = received_.find(peer);
  return found != received_.end() && found->second.whole && found->second.whole_of == tick;
}

bool Ghosts::knows_everybodys() const {
  return std::all_of(sent_.begin(), sent_.end(), [&](const auto& sending) {
    const auto received = received_.find(sending.first);
    const bool silent = received == received_.end() || !received->second.epoch;
    return knows_all_of(sending.first) || (silent && sending.second.regions.empty());
  });
}

bool Ghosts::replicated(Handle ghost) const {
  return std::any_of(received_.begin(), received_.end(), [&](const auto& receiving) {
    const auto found = receiving.second.things.find(ghost);
    return found != receiving.second.things.end() && !found->second.sent;
  });
}

std::span<const world::Bounds> Ghosts::out_of_region_of(WorkerSlot peer) const {
  const auto found = received_.find(peer);
  if (found == received_.end()) return {};
  return {found->second.out_of_region.begin(), found->second.out_of_region.size()};
}

std::optional<WorkerSlot> Ghosts::owner_of(Handle ghost) const {
  for (const auto& [slot, receiving] : received_) {
    if (receiving.things.contains(ghost)) return slot;
  }
  return std::nullopt;
}

bool Ghosts::copied(Handle ghost) const {
  return std::any_of(received_.begin(), received_.end(), [&](const auto& received) {
    return needs_.standby.replicates(received.first) && received.second.things.contains(ghost);
  });
}

// Actors of a third worker may stand on a fixture. So the fixture must not vanish there before the
// new owner has sent it. A body takes its passengers along in its group.
void Ghosts::on_group_sent(std::span<const Handle> members, WorkerSlot to) {
  for (const Handle member : members) {
    received_[to].things[member] = {.sent = needs_.next};
    const bool fixture = needs_.world.fixtures(member);
    for (auto& [slot, sending] : sent_) {
      if (slot == to) {
        sending.forget(member);
      } else if (fixture) {
        sending.hand_over(member, needs_.next + hand_over_ticks);
      } else {
        sending.let_go(member);
      }
    }
  }
}

void Ghosts::on_owned(std::span<const Handle> members) {
  for (auto& [slot, receiving] : received_) {
    for (const Handle member : members) receiving.things.erase(member);
  }
  came_.insert(came_.end(), members.begin(), members.end());
}

std::set<Handle> Ghosts::take_over(WorkerSlot dead) {
  std::set<Handle> out;
  const auto found = received_.find(dead);
  if (found == received_.end()) return out;
  Receiving& receiving = found->second;
  for (const auto& [handle, ghost] : receiving.things) {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity != nullptr && entity->remote && !ghost.sent) out.insert(handle);
  }
  for (const Handle handle : out) receiving.things.erase(handle);
  return out;
}

void Ghosts::let_go_of(std::span<const Handle> members) {
  for (const Handle member : members) {
    const world::Entity* entity = needs_.world.find(member);
    if (entity != nullptr && entity->remote && !owner_of(member)) needs_.world.despawn(member);
  }
}

/// A dead worker's entities will soon be replicated by its successor: keep them until then.
void Ghosts::expect_from_successors() {
  for (auto& [slot, receiving] : received_) {
    const WorkerEntry* peer = needs_.cluster.map().worker(slot);
    if (!receiving.epoch ||
        (peer != nullptr && peer->alive && peer->incarnation == receiving.incarnation))
      continue;
    const FailoverRecord* failover_record =
        needs_.cluster.map().failover_record(receiving.handle_base);
    if (failover_record == nullptr || failover_record->successor == needs_.cluster.self()) continue;
    auto& expected = received_[failover_record->successor].things;
    for (const auto& [handle, ghost] : receiving.things) {
      expected.try_emplace(handle, Ghost{.sent = needs_.next});
    }
    receiving.things.clear();
  }
}

void Ghosts::let_go(Receiving& receiving, Handle handle) {
  receiving.things.erase(handle);
  const world::Entity* entity = needs_.world.find(handle);
  if (entity != nullptr && entity->remote) needs_.world.despawn(handle);
}

void Ghosts::forget(Receiving& receiving) {
  while (!receiving.things.empty()) let_go(receiving, receiving.things.begin()->first);
  receiving = {};
}

// Entities that the owner did not send again in this epoch are gone. Those that this worker sent to
// the owner may still be in flight.
void Ghosts::sweep(Receiving& receiving) {
  std::vector<Handle> gone;
  for (const auto& [handle, ghost] : receiving.things) {
    if (!ghost.sent && ghost.epoch != *receiving.epoch) gone.push_back(handle);
  }
  for (const Handle handle : gone) let_go(receiving, handle);
}

void Ghosts::forget_the_silent() {
  const Tick now = needs_.next;
  for (auto& [slot, receiving] : received_) {
    // The worker's standby takes its ghosts over, however long the directory takes to decide.
    const bool silent =
        receiving.epoch && ticks_between(receiving.received, now) > silence_ticks_max;
    if (silent && !needs_.standby.succeeds(slot)) forget(receiving);
    if (receiving.disputed && ticks_between(*receiving.disputed, now) >= dispute_ticks) {
      ask_again(slot, receiving, *receiving.epoch);
    }
    forget_who_never_came(receiving);
  }
}

/// Removes entities that were sent to the peer and that the peer never replicated. Checks some of
/// them per tick, in turn.
void Ghosts::forget_who_never_came(Receiving& receiving) {
  std::size_t left = std::min(receiving.things.size() / look_ticks + 1, checks_per_tick_max);
  for (; left > 0 && !receiving.things.empty(); --left) {
    auto at = receiving.things.upper_bound(receiving.checked);
    if (at == receiving.things.end()) at = receiving.things.begin();
    const auto& [handle, ghost] = *at;
    receiving.checked = handle;
    const bool silent = ghost.sent && ticks_between(*ghost.sent, needs_.next) > silence_ticks_max;
    if (silent) let_go(receiving, handle);
  }
}

}  // namespace perigee::worker
