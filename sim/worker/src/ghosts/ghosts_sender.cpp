// The sender's half: which changes of the entities in a receiver's band are sent to it.
#include <algorithm>

#include "ghosts/ghosts.hpp"
#include "perigee/base/kept_tick.hpp"

namespace perigee::worker {

void Ghosts::Sending::begin_anew() {
  ++epoch;
  sequence = 0;
  gone.clear();
  handed_over.clear();
  hanging.clear();
  moving.clear();
  stated.clear();
  whole.reset();
  for (auto& [handle, sent] : things) {
    sent = {};
    unsent.insert(handle);
  }
}

void Ghosts::Sending::forget(Handle thing) {
  const auto sent = things.find(thing);
  if (sent == things.end()) return;
  if (sent->second.hangs_on != no_entity) hanging.erase({sent->second.hangs_on, thing});
  things.erase(sent);
  unsent.erase(thing);
  moving.erase(thing);
  stated.erase(thing);
}

/// A receiver that drops a ship also drops its doors. All are sent again if the ship comes back.
void Ghosts::Sending::let_go_of_parts(Handle thing) {
  for (auto on = hanging.lower_bound({thing, 0}); on != hanging.end() && on->first == thing;) {
    const Handle part = (on++)->second;
    gone.push_back(part);
    forget(part);
  }
}

void Ghosts::Sending::let_go(Handle thing) {
  let_go_of_parts(thing);
  const auto sent = things.find(thing);
  if (sent != things.end() && sent->second.once) gone.push_back(thing);
  forget(thing);
}

void Ghosts::Sending::hand_over(Handle thing, Tick until) {
  const auto sent = things.find(thing);
  if (sent != things.end() && sent->second.once) handed_over.emplace_back(thing, until);
  forget(thing);
}

/// A standby counts what it has from us as ours, so it keeps nothing of other owners.
void Ghosts::Sending::end_hand_overs(Tick now) {
  std::erase_if(handed_over, [&](const auto& each) {
    const auto& [thing, until] = each;
    if (!everything && before(now, until)) return false;
    if (things.contains(thing)) return true;  // it has come back
    let_go_of_parts(thing);
    gone.push_back(thing);
    return true;
  });
}

void Ghosts::on_map() {
  std::map<WorkerSlot, std::vector<world::Bounds>> others;
  for (const WorkerEntry& worker : needs_.cluster.map().workers) {
    if (worker.alive && worker.slot != needs_.cluster.self()) others[worker.slot];
  }
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    const auto owner = region.owner ? others.find(*region.owner) : others.end();
    if (owner != others.end()) owner->second.push_back({region.low, region.high});
  }
  std::erase_if(sent_, [&](const auto& sending) { return !others.contains(sending.first); });
  for (const auto& [slot, regions] : others) {
    Sending& sending = sent_[slot];
    const Incarnation incarnation = needs_.cluster.map().worker(slot)->incarnation;
    if (sending.incarnation != incarnation) sending.begin_anew();
    const bool everything = needs_.standby.standby() == slot;
    if (sending.incarnation != incarnation || sending.regions != regions ||
        sending.everything != everything) {
      sending.complete_after = rounds_.await_next();
      // Groups sent there now would find surroundings that are not replicated yet.
      sending.whole.reset();
    }
    sending.everything = everything;
    sending.incarnation = incarnation;
    sending.regions = regions;
  }
  expect_from_successors();
  for (auto& [slot, receiving] : received_) {
    const WorkerEntry* peer = needs_.cluster.map().worker(slot);
    const bool same_incarnation = peer != nullptr && peer->alive &&
                                  peer->incarnation == receiving.incarnation &&
                                  needs_.cluster.map().cluster_id == receiving.cluster_id;
    if (receiving.epoch && !same_incarnation) forget(receiving);
  }
}

void Ghosts::move_ticks_along() {
  const Tick now = needs_.next;
  for (auto& [slot, sending] : sent_) {
    for (auto& [handle, sent] : sending.things) move_along(sent.at, now);
  }
  for (auto& [slot, receiving] : received_) {
    for (auto& [handle, ghost] : receiving.things) move_along(ghost.owned_at, now);
  }
}

void Ghosts::after_tick() {
  if (kept_ticks_turn(needs_.next)) move_ticks_along();
  forget_the_silent();
  const std::vector<Handle> created = needs_.world.take_created();
  if (sent_.empty()) return came_.clear();
  came_.insert(came_.end(), created.begin(), created.end());
  lively_.clear();
  needs_.world.for_each_lively([&](const world::Entity& entity) {
    if (!entity.remote) lively_.push_back(entity.handle);
  });
  look_at_some();
  list_everywhere();
  for (auto& [slot, sending] : sent_) {
    for (const Handle thing : needs_.world.stated()) {
      const auto known = sending.things.find(thing);
      if (known != sending.things.end() && known->second.once) sending.stated.insert(thing);
    }
    send(slot, sending);
  }
}

/// Receivers that know the entity remove it.
void Ghosts::no_more(Handle thing) {
  const world::Entity* entity = needs_.world.find(thing);
  if (entity != nullptr) return;  // the entity was migrated, and its new owner replicates it
  for (auto& [slot, sending] : sent_) {
    if (sending.things.contains(thing)) sending.let_go(thing);
  }
}

bool Ghosts::has_sent_all_to(WorkerSlot peer) const {
  const auto found = sent_.find(peer);
  if (found == sent_.end()) return false;
  const auto& whole = found->second.whole;
  return whole && ticks_between(*whole, needs_.next) <= look_ticks;
}

/// Candidates for this tick: entities that were never sent, that move, or that moved when last
/// sent, and voxel ground. Some of the rest are added in turn, to find those that are no longer
/// ours.
void Ghosts::list_news(Sending& sending) {
  news_.clear();
  const Handle next = std::exchange(sending.next, no_entity);
  if (sending.has_only(needs_.world.world_entity())) {
    for (const auto& [handle, sent] : sending.things) news_.push_back(handle);
    return;
  }
  list_unsent(sending, next);
  news_.insert(news_.end(), sending.moving.begin(), sending.moving.end());
  for (const Handle handle : lively_) {
    if (sending.things.contains(handle)) news_.push_back(handle);
  }
  for (const Handle patch : needs_.world.patches()) {
    if (sending.things.contains(patch)) news_.push_back(patch);
  }
  auto at = sending.things.upper_bound(sending.checked);
  std::size_t left = std::min(sending.things.size() / look_ticks + 1, checks_per_tick_max);
  for (; left > 0; --left) {
    if (at == sending.things.end()) at = sending.things.begin();
    if (at == sending.things.end()) break;
    sending.checked = at->first;
    news_.push_back(at++->first);
  }
  std::sort(news_.begin(), news_.end());
  news_.erase(std::unique(news_.begin(), news_.end()), news_.end());
  const auto first = std::lower_bound(news_.begin(), news_.end(), next);
  std::rotate(news_.begin(), first, news_.end());
}

/// Lists as many entities as could be sent in a tick, from this handle on, in a circle.
void Ghosts::list_unsent(const Sending& sending, Handle from) {
  auto at = sending.unsent.lower_bound(from);
  for (std::size_t left = std::min(sending.unsent.size(), unsent_per_tick_max); left > 0; --left) {
    if (at == sending.unsent.end()) at = sending.unsent.begin();
    news_.push_back(*at++);
  }
}

void Ghosts::send(WorkerSlot to, Sending& sending) {
  const std::size_t most = sending.everything ? standby_bytes_per_tick_max : bytes_per_tick_max;
  ByteWriter writer({buffer_.data(), most});
  const Tick now = needs_.next;
  GhostHead head{.cluster_id = needs_.cluster.map().cluster_id,
                 .incarnation = needs_.cluster.map().worker(needs_.cluster.self())->incarnation,
                 .epoch = sending.epoch,
                 .sequence = sending.sequence,
                 .tick = now};
  for (const auto& [region, box] : out_of_region_) head.out_of_region.push_back(box);
  const auto write_head = [&](ByteWriter& at) {
    const bool fits = put(at, PeerKind::Ghosts) && walk(at, head);
    PERIGEE_ASSERT(fits, "the buffer is too small for the head");
  };
  write_head(writer);
  const std::size_t head_bytes = writer.size();
  sending.end_hand_overs(now);
  write_gone(writer, sending);
  write_states(writer, sending);
  list_news(sending);
  for (std::size_t i = 0; i < news_.size(); ++i) {
    const auto at = sending.things.find(news_[i]);
    if (at == sending.things.end()) continue;
    const Written written = write_update(writer, to, sending, at->first, at->second);
    if (written == Written::NoRoom) {
      sending.next = news_[i];
      needs_.counts.add(metric.ghost_news_deferred, news_.size() - i);
      break;
    }
    if (written == Written::NotOurs) sending.forget(news_[i]);
  }
  head.whole = came_.empty() && sending.gone.empty() && sending.unsent.empty() &&
               rounds_.ended(sending.complete_after);
  if (head.whole) sending.whole = now;
  const bool idle = writer.size() == head_bytes && !sending.everything;
  if (idle && sending.sequence > 0 && now.count % idle_ticks != 0) return;
  ByteWriter again(buffer_);
  write_head(again);
  ++sending.sequence;
  needs_.counts.add(metric.ghost_bytes, writer.size());
  needs_.outputs.to_peer(to, writer.written());
}

void Ghosts::write_gone(ByteWriter& writer, Sending& sending) {
  constexpr std::size_t gone_bytes = 1 + sizeof(Handle);
  while (!sending.gone.empty() && writer.space() >= gone_bytes) {
    put(writer, GhostRecord::Gone);
    writer.number(sending.gone.back());
    sending.gone.pop_back();
  }
}

// The standby gets all of them with their tick: the limits of changes in a tick leave room.
void Ghosts::write_states(ByteWriter& writer, Sending& sending) {
  const std::size_t most = sending.everything ? writer.size() + writer.space()
                                              : writer.size() + state_bytes_per_tick_max;
  auto at = sending.stated.lower_bound(sending.next_stated);
  while (!sending.stated.empty()) {
    if (at == sending.stated.end()) at = sending.stated.begin();
    const world::Entity* entity = needs_.world.find(*at);
    const world::ThingState* state = needs_.world.state(*at);
    if (entity != nullptr && !entity->remote && state != nullptr) {
      const GhostState news{*at, *state};
      const std::size_t before = writer.size();
      const bool fits = put(writer, GhostRecord::State) && walk_ghost_state(writer, news);
      if (!fits || writer.size() > most) {
        writer.rewind(before);
        sending.next_stated = *at;
        needs_.counts.add(metric.ghost_news_deferred, sending.stated.size());
        return;
      }
    }
    at = sending.stated.erase(at);
  }
}

auto Ghosts::write_update(ByteWriter& writer, WorkerSlot to, Sending& sending, Handle handle,
                          Sent& sent) -> Written {
  const world::World& world = needs_.world;
  const world::Entity* entity = world.find(handle);
  if (entity == nullptr || entity->remote) {
    // The new owner has the entity. All other receivers have to remove it.
    const bool theirs = entity != nullptr && owner_of(handle) == to;
    if (!theirs && sent.once) sending.gone.push_back(handle);
    return Written::NotOurs;
  }
  const Tick now = needs_.next;
  const std::size_t before = writer.size();
  const auto settled = [&](bool fits) {
    if (!fits) writer.rewind(before);
    return fits ? Written::Yes : Written::NoRoom;
  };
  const world::EntityKind kind = world.type_of(*entity).kind;
  const world::TimelineLog* log = world.timeline(handle);
  if (!sent.once || (log != nullptr && log->last_version() != sent.version)) {
    if (!write_thing(writer, sending, *entity, sent)) return Written::NoRoom;
    if (world.voxels(handle) == nullptr) return Written::Yes;
  }
  if (world.voxels(handle) != nullptr) {
    return write_chunks(writer, sending, handle, sent) ? Written::Yes : Written::NoRoom;
  }
  if (kind == world::EntityKind::Actor) {
    const world::ActorTrace* trace = world.traces(handle)->find(now);
    return trace == nullptr ? Written::Yes
                            : settled(put(writer, GhostRecord::Trace) && writer.number(handle) &&
                                      world::walk_trace(writer, *trace));
  }
  if (kind != world::EntityKind::Body || ticks_between(sent.at, now) < motion_ticks)
    return Written::Yes;
  const auto motion = world.motion(handle, now);
  if (!motion || (sent.rests && motion->rests())) return Written::Yes;
  const Written written = settled(put(writer, GhostRecord::Motion) && writer.number(handle) &&
                                  world::walk_motion(writer, *motion));
  if (written == Written::Yes) {
    sent.at = now;
    sent.rests = motion->rests();
    sent.rests ? (void)sending.moving.erase(handle) : (void)sending.moving.insert(handle);
  }
  return written;
}

// The carrier is sent first: a receiver cannot place an entity without it, and skips such a door.
bool Ghosts::write_thing(ByteWriter& writer, Sending& sending, const world::Entity& entity,
                         Sent& sent) {
  const world::World& world = needs_.world;
  const world::Entity* carrier = world.find(entity.parent);
  if (carrier != nullptr && !carrier->remote) {
    Sent& under = sending.things[carrier->handle];
    if (!under.once && !write_thing(writer, sending, *carrier, under)) return false;
  } else if (entity.parent != no_entity && world.timeline(entity.handle) != nullptr) {
    sent.once = true;
    sending.unsent.erase(entity.handle);
    return true;
  }
  const Tick now = needs_.next;
  GhostThing thing{.entity = entity};
  if (const auto motion = world.motion(entity.handle, now)) thing.motion = *motion;
  if (const world::World::ActorTraces* traces = world.traces(entity.handle)) {
    const world::ActorTrace* trace = traces->find(now);
    thing.trace =
        trace != nullptr ? *trace : world::ActorTrace{entity.parent, entity.local.position, {}};
  }
  if (const world::TimelineLog* log = world.timeline(entity.handle)) thing.log = *log;
  if (const world::ThingState* state = world.state(entity.handle)) thing.state = *state;
  const std::size_t before = writer.size();
  const bool fits =
      put(writer, GhostRecord::Thing) && walk_thing(writer, std::as_const(thing), world.types());
  if (!fits) {
    writer.rewind(before);
    return false;
  }
  sent.once = true;
  sending.stated.erase(entity.handle);
  if (world.timeline(entity.handle) != nullptr && entity.parent != no_entity) {
    if (sent.hangs_on != no_entity) sending.hanging.erase({sent.hangs_on, entity.handle});
    sent.hangs_on = entity.parent;
    sending.hanging.insert({entity.parent, entity.handle});
  }
  sent.rests = thing.motion.rests();
  sent.version = thing.log.last_version();
  sent.at = now;
  if (!sent.rests) sending.moving.insert(entity.handle);
  if (world.voxels(entity.handle) == nullptr) sending.unsent.erase(entity.handle);
  return true;
}

/// Sends each chunk as a whole when it has changed: the receiver's players walk on it.
bool Ghosts::write_chunks(ByteWriter& writer, Sending& sending, Handle patch, Sent& sent) {
  const world::VoxelPatch& cells = *needs_.world.voxels(patch);
  sent.chunks.resize(cells.plan().chunks());
  for (std::uint16_t chunk = 0; chunk < cells.plan().chunks(); ++chunk) {
    const std::uint16_t version = cells.version(chunk);
    if (sent.chunks[chunk] == version) continue;
    const GhostChunk news{patch, chunk, version, cells.chunk(chunk)};
    const std::size_t before = writer.size();
    if (!put(writer, GhostRecord::Chunk) || !walk_ghost_chunk(writer, news)) {
      writer.rewind(before);
      sending.unsent.insert(patch);
      return false;
    }
    sent.chunks[chunk] = version;
  }
  sending.unsent.erase(patch);
  return true;
}

void Ghosts::on_again(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  GhostsAgain again;
  if (!walk_again(reader, again) || !reader.at_end())
    return needs_.counts.add(metric.drop_malformed);
  const auto found = sent_.find(from);
  const bool current = found != sent_.end() &&
                       again.cluster_id == needs_.cluster.map().cluster_id &&
                       again.epoch == found->second.epoch && found->second.sequence > 0;
  if (current) found->second.begin_anew();
}

}  // namespace perigee::worker
