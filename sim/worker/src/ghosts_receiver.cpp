// The receiver's half: a peer's stream, in order or from its beginning, becomes remote entities.
#include <algorithm>
#include <cmath>

#include "ghosts.hpp"

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
  Hearing& hearing = heard_[from];
  if (std::abs(ticks_between(head.tick, needs_.next)) > skew_ticks_max) {
    // A new epoch would arrive just as late. The first message that is in time reveals the gap and
    // requests it.
    return needs_.counts.add(metric.ghost_news_late);
  }
  hearing.cluster_id = head.cluster_id;
  hearing.incarnation = head.incarnation;
  hearing.handle_base = peer->handle_base;
  if (!in_order(from, hearing, head)) return;
  if (!hear(reader, hearing, from, head.tick)) {
    needs_.counts.add(metric.drop_malformed);
    hearing.next = 0;  // drops the rest of this epoch
    return ask_again(from, hearing, head.epoch);
  }
  hearing.heard = needs_.next;
  hearing.out_of_region = head.out_of_region;
  if (const auto telling = told_.find(from); telling != told_.end()) {
    telling->second.out_of_region = head.out_of_region;
  }
  if (!head.whole) return;
  if (!std::exchange(hearing.swept, true)) sweep(hearing);
  if (hearing.refused) return;
  hearing.whole = needs_.next;
  hearing.whole_of = head.tick;
}

bool Ghosts::in_order(WorkerSlot from, Hearing& hearing, const GhostHead& head) {
  if (hearing.epoch && newer(*hearing.epoch, head.epoch)) return false;
  if (hearing.epoch != head.epoch && head.sequence == 0) {
    hearing.epoch = head.epoch;
    hearing.next = 0;
    hearing.swept = hearing.refused = false;
    hearing.asked.reset();
    hearing.disputed.reset();
  }
  if (hearing.epoch == head.epoch && head.sequence == hearing.next) {
    ++hearing.next;
    return true;
  }
  const bool known = hearing.epoch == head.epoch && head.sequence < hearing.next;
  if (!known) ask_again(from, hearing, head.epoch);
  return false;
}

void Ghosts::ask_again(WorkerSlot from, Hearing& hearing, std::uint32_t epoch) {
  if (hearing.asked && ticks_between(*hearing.asked, needs_.next) < again_ticks) return;
  hearing.asked = needs_.next;
  needs_.counts.add(metric.ghost_streams_lost);
  std::array<std::byte, 16> bytes;
  ByteWriter writer(bytes);
  const GhostsAgain again{needs_.cluster.map().cluster_id, epoch};
  const bool fits = put(writer, PeerKind::GhostsAgain) && walk_again(writer, again);
  PERIGEE_ASSERT(fits, "the buffer is too small for the message");
  if (needs_.outputs.to_peer) needs_.outputs.to_peer(from, writer.written());
}

bool Ghosts::hear(ByteReader& reader, Hearing& hearing, WorkerSlot from, Tick at) {
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
      hear_thing(thing, hearing, from, at);
      continue;
    }
    if (kind == GhostRecord::Chunk) {
      if (!hear_chunk(reader, hearing)) return false;
      continue;
    }
    Handle handle = no_entity;
    if (!reader.number(handle)) return false;
    if (kind == GhostRecord::Gone) {
      if (hearing.things.contains(handle)) let_go(hearing, handle);
    } else if (kind == GhostRecord::Motion) {
      Motion motion;
      if (!world::walk_motion(reader, motion) || !turned_well(motion.pose)) return false;
      if (known(hearing, handle, EntityKind::Body)) world.set_remote_motion(handle, at, motion);
    } else {
      world::ActorTrace trace;
      if (!world::walk_trace(reader, trace)) return false;
      if (known(hearing, handle, EntityKind::Actor)) stand(world, handle, trace, at);
    }
  }
  return true;
}

bool Ghosts::hear_chunk(ByteReader& reader, const Hearing& hearing) {
  GhostChunk told;
  if (!walk_ghost_chunk(reader, told)) return false;
  if (!known(hearing, told.patch, EntityKind::Static)) return true;
  world::VoxelPatch* patch = needs_.world.voxels(told.patch);
  if (patch == nullptr || told.chunk >= patch->plan().chunks()) return false;
  patch->replace(told.chunk, told.version, told.bits);
  return true;
}

bool Ghosts::known(const Hearing& hearing, Handle handle, EntityKind kind) const {
  if (!hearing.things.contains(handle)) return false;
  const world::Entity* entity = needs_.world.find(handle);
  return entity != nullptr && needs_.world.type_of(*entity).kind == kind;
}

void Ghosts::hear_thing(const GhostThing& thing, Hearing& hearing, WorkerSlot from, Tick at) {
  world::World& world = needs_.world;
  const world::Entity& told = thing.entity;
  const world::Entity* here = world.find(told.handle);
  if (here != nullptr && !here->remote) return;  // the entity was migrated here in the meantime
  if (const auto other = owner_of(told.handle); other && *other != from) {
    // An entity has one owner at each tick. Messages of the former owner may arrive later, but a
    // successor of a dead worker may also be behind.
    const Ghost& known = heard_[*other].things[told.handle];
    if (!known.given && not_after(at, known.owned_at)) {
      if (!hearing.disputed) hearing.disputed = needs_.next;
      hearing.refused = true;
      return;
    }
    heard_[*other].things.erase(told.handle);
  }
  const bool timeline = world.types()[told.type].kind == EntityKind::Timeline;
  const bool same = here != nullptr && here->id == told.id && here->type == told.type &&
                    (!timeline || here->parent == told.parent);
  if (here != nullptr && !same) world.despawn(told.handle);
  // A door without its ship has no place.
  const bool carried = !timeline || told.parent == no_entity || world.find(told.parent) != nullptr;
  world::SpawnOrder order{.id = told.id,
                          .type = told.type,
                          .handle = told.handle,
                          .respawns = told.respawns,
                          .parent = told.parent,
                          .local = told.local,
                          .remote = true};
  if (world.types()[told.type].kind == EntityKind::Body && thing.motion.rests()) {
    order.rests = true;
    order.at = thing.motion.pose;
  }
  if (world.types()[told.type].kind == EntityKind::Actor) {
    order.parent = thing.trace.parent;
    order.local.position = thing.trace.position;
  }
  const bool spawned = same || (carried && world.spawn(order) != no_entity);
  if (!spawned) {
    hearing.refused = true;
    hearing.things.erase(told.handle);
    return needs_.counts.add(metric.ghosts_refused);
  }
  hearing.things[told.handle] = {.epoch = *hearing.epoch, .owned_at = at};
  place(thing, at);
}

void Ghosts::place(const GhostThing& thing, Tick at) {
  world::World& world = needs_.world;
  const Handle handle = thing.entity.handle;
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
  const auto found = heard_.find(peer);
  return found != heard_.end() && found->second.whole &&
         ticks_between(*found->second.whole, needs_.next) <= fresh_ticks;
}

bool Ghosts::knows_all_of(WorkerSlot peer, Tick tick) const {
  const auto found = heard_.find(peer);
  return found != heard_.end() && found->second.whole && found->second.whole_of == tick;
}

bool Ghosts::knows_everybodys() const {
  return std::all_of(told_.begin(), told_.end(), [&](const auto& telling) {
    const auto heard = heard_.find(telling.first);
    const bool silent = heard == heard_.end() || !heard->second.epoch;
    return knows_all_of(telling.first) || (silent && telling.second.regions.empty());
  });
}

bool Ghosts::tells_of(Handle ghost) const {
  return std::any_of(heard_.begin(), heard_.end(), [&](const auto& hearing) {
    const auto found = hearing.second.things.find(ghost);
    return found != hearing.second.things.end() && !found->second.given;
  });
}

std::span<const world::Bounds> Ghosts::out_of_region_of(WorkerSlot peer) const {
  const auto found = heard_.find(peer);
  if (found == heard_.end()) return {};
  return {found->second.out_of_region.begin(), found->second.out_of_region.size()};
}

std::optional<WorkerSlot> Ghosts::owner_of(Handle ghost) const {
  for (const auto& [slot, hearing] : heard_) {
    if (hearing.things.contains(ghost)) return slot;
  }
  return std::nullopt;
}

bool Ghosts::copied(Handle ghost) const {
  return std::any_of(heard_.begin(), heard_.end(), [&](const auto& heard) {
    return needs_.standby.replicates(heard.first) && heard.second.things.contains(ghost);
  });
}

void Ghosts::gave(std::span<const Handle> members, WorkerSlot to) {
  for (const Handle member : members) {
    heard_[to].things[member] = {.given = needs_.next};
    for (auto& [slot, telling] : told_) {
      slot == to ? telling.forget(member) : telling.let_go(member);
    }
  }
}

void Ghosts::took(std::span<const Handle> members) {
  for (auto& [slot, hearing] : heard_) {
    for (const Handle member : members) hearing.things.erase(member);
  }
  came_.insert(came_.end(), members.begin(), members.end());
}

std::set<Handle> Ghosts::inherit(WorkerSlot dead) {
  std::set<Handle> out;
  const auto found = heard_.find(dead);
  if (found == heard_.end()) return out;
  Hearing& hearing = found->second;
  for (const auto& [handle, ghost] : hearing.things) {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity != nullptr && entity->remote && !ghost.given) out.insert(handle);
  }
  for (const Handle handle : out) hearing.things.erase(handle);
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
  for (auto& [slot, hearing] : heard_) {
    const WorkerEntry* peer = needs_.cluster.map().worker(slot);
    if (!hearing.epoch ||
        (peer != nullptr && peer->alive && peer->incarnation == hearing.incarnation))
      continue;
    const FailoverRecord* failover_record =
        needs_.cluster.map().failover_record(hearing.handle_base);
    if (failover_record == nullptr || failover_record->successor == needs_.cluster.self()) continue;
    auto& expected = heard_[failover_record->successor].things;
    for (const auto& [handle, ghost] : hearing.things) {
      expected.try_emplace(handle, Ghost{.given = needs_.next});
    }
    hearing.things.clear();
  }
}

void Ghosts::let_go(Hearing& hearing, Handle handle) {
  hearing.things.erase(handle);
  const world::Entity* entity = needs_.world.find(handle);
  if (entity != nullptr && entity->remote) needs_.world.despawn(handle);
}

void Ghosts::forget(Hearing& hearing) {
  while (!hearing.things.empty()) let_go(hearing, hearing.things.begin()->first);
  hearing = {};
}

// Entities that the owner did not send again in this epoch are gone. Those sent to it from here may
// still be in flight.
void Ghosts::sweep(Hearing& hearing) {
  std::vector<Handle> gone;
  for (const auto& [handle, ghost] : hearing.things) {
    if (!ghost.given && ghost.epoch != *hearing.epoch) gone.push_back(handle);
  }
  for (const Handle handle : gone) let_go(hearing, handle);
}

void Ghosts::forget_the_silent() {
  const Tick now = needs_.next;
  for (auto& [slot, hearing] : heard_) {
    // Its standby takes them over, however long the directory takes to decide.
    const bool silent = hearing.epoch && ticks_between(hearing.heard, now) > silence_ticks_max;
    if (silent && !needs_.standby.succeeds(slot)) forget(hearing);
    if (hearing.disputed && ticks_between(*hearing.disputed, now) >= dispute_ticks) {
      ask_again(slot, hearing, *hearing.epoch);
    }
    forget_who_never_came(hearing);
  }
}

/// Removes entities that were sent to the peer and that it never replicated. Checks some of them
/// per tick, in turn.
void Ghosts::forget_who_never_came(Hearing& hearing) {
  std::size_t left = std::min(hearing.things.size() / look_ticks + 1, checks_per_tick_max);
  for (; left > 0 && !hearing.things.empty(); --left) {
    auto at = hearing.things.upper_bound(hearing.checked);
    if (at == hearing.things.end()) at = hearing.things.begin();
    const auto& [handle, ghost] = *at;
    hearing.checked = handle;
    const bool silent = ghost.given && ticks_between(*ghost.given, needs_.next) > silence_ticks_max;
    if (silent) let_go(hearing, handle);
  }
}

}  // namespace perigee::worker
