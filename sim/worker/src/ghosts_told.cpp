// The teller's half: what is in the band of whom, and what of it is news.
#include <algorithm>

#include "ghosts.hpp"

namespace perigee::worker {
namespace {

using world::Bounds;
using world::EntityKind;

bool within(const std::vector<Bounds>& regions, const Bounds& place, double m) {
  const Bounds reach = world::inflated(place, m);
  return std::any_of(regions.begin(), regions.end(),
                     [&](const Bounds& region) { return world::overlap(region, reach); });
}

}  // namespace

void Core::Ghosts::Telling::begin_anew() {
  ++epoch;
  sequence = 0;
  gone.clear();
  for (auto& [handle, told] : things) told = {};
}

void Core::Ghosts::on_map() {
  std::vector<Bounds> own;
  std::map<WorkerSlot, std::vector<Bounds>> others;
  for (const RegionEntry& region : core_.map_.regions) {
    if (!region.owner) continue;
    (*region.owner == core_.slot_ ? own : others[*region.owner])
        .push_back({region.low, region.high});
  }
  std::erase_if(others, [&](const auto& other) {
    const WorkerEntry* peer = core_.map_.worker(other.first);
    return peer == nullptr || !peer->alive ||
           std::none_of(own.begin(), own.end(),
                        [&](const Bounds& box) { return within(other.second, box, leave_m); });
  });
  std::erase_if(told_, [&](const auto& telling) { return !others.contains(telling.first); });
  for (const auto& [slot, regions] : others) {
    Telling& telling = told_[slot];
    const std::uint32_t life = core_.map_.worker(slot)->life;
    if (telling.life != life) telling.begin_anew();
    telling.life = life;
    telling.regions = regions;
  }
  for (auto& [slot, hearing] : heard_) {
    const WorkerEntry* peer = core_.map_.worker(slot);
    const bool same = peer != nullptr && peer->life == hearing.life &&
                      core_.map_.incarnation == hearing.incarnation;
    if (hearing.epoch && !same) forget(hearing);
  }
}

void Core::Ghosts::after_tick() {
  forget_the_silent();
  if (told_.empty()) return;
  const auto all = core_.world_->in_order();
  const std::size_t first = look_at_all_ ? 0 : core_.next_.count % look_ticks;
  const std::size_t step = look_at_all_ ? 1 : look_ticks;
  for (std::size_t i = first; i < all.size(); i += step) look(all[i]);
  look_at_all_ = false;
  for (auto& [slot, telling] : told_) tell(slot, telling);
}

/// Of all that moves with it: a ship comes with its doors and its crew.
std::optional<Bounds> Core::Ghosts::place_of(const world::Entity& entity) const {
  const world::World& world = *core_.world_;
  const world::Entity* carrier = &entity;
  while (const world::Entity* next = world.find(carrier->parent)) {
    if (next->remote || world.type_of(*next).kind == EntityKind::Static) break;
    carrier = next;
  }
  const auto at = world.pose(carrier->handle, core_.next_);
  if (!at) return std::nullopt;
  return world::transformed(*at, world.type_of(*carrier).shape->bounds());
}

void Core::Ghosts::look(Handle handle) {
  const world::World& world = *core_.world_;
  const world::Entity& entity = *world.find(handle);
  if (entity.remote || world.voxels(handle) != nullptr) return;
  const auto place = place_of(entity);
  if (!place) return;
  // Ground is there before those that stand on it.
  const bool rests = world.type_of(entity).kind == EntityKind::Static;
  for (auto& [slot, telling] : told_) {
    const auto found = telling.things.find(handle);
    if (found != telling.things.end()) {
      if (within(telling.regions, *place, leave_m)) continue;
      if (found->second.once) telling.gone.push_back(handle);
      telling.things.erase(found);
    } else if (within(telling.regions, *place, rests ? leave_m : band_m)) {
      if (telling.things.size() < per_peer_max) {
        telling.things[handle] = {};
      } else {
        telling.left_out = core_.next_;
        core_.counts_.add(Count::GhostsRefused);
      }
    }
  }
}

bool Core::Ghosts::tells_all_to(WorkerSlot peer) const {
  const auto found = told_.find(peer);
  if (found == told_.end()) return false;
  const auto& left_out = found->second.left_out;
  return !left_out || ticks_between(*left_out, core_.next_) > 2 * look_ticks;
}

void Core::Ghosts::tell(WorkerSlot to, Telling& telling) {
  ByteWriter writer(buffer_);
  GhostHead head{.incarnation = core_.map_.incarnation,
                 .life = core_.map_.worker(core_.slot_)->life,
                 .epoch = telling.epoch,
                 .sequence = telling.sequence,
                 .tick = core_.next_};
  const auto write_head = [&](ByteWriter& at) {
    const bool fits = put(at, PeerKind::Ghosts) && walk(at, head);
    PERIGEE_ASSERT(fits, "there is room for the head");
  };
  write_head(writer);
  constexpr std::size_t gone_bytes = 1 + sizeof(Handle);
  while (!telling.gone.empty() && writer.space() >= gone_bytes) {
    put(writer, GhostRecord::Gone);
    writer.number(telling.gone.back());
    telling.gone.pop_back();
  }
  auto at = telling.things.lower_bound(std::exchange(telling.next, no_entity));
  for (std::size_t left = telling.things.size(); left > 0; --left) {
    if (at == telling.things.end()) at = telling.things.begin();
    const Said said = say(writer, to, telling, at->first, at->second);
    if (said == Said::NoRoom) {
      telling.next = at->first;
      core_.counts_.add(Count::GhostNewsDeferred, left);
      break;
    }
    at = said == Said::NotOurs ? telling.things.erase(at) : std::next(at);
  }
  head.whole =
      telling.gone.empty() && std::all_of(telling.things.begin(), telling.things.end(),
                                          [](const auto& thing) { return thing.second.once; });
  if (writer.size() == ghost_head_bytes && telling.sequence > 0 &&
      core_.next_.count % idle_ticks != 0) {
    return;
  }
  ByteWriter again(buffer_);
  write_head(again);
  ++telling.sequence;
  core_.counts_.add(Count::GhostBytes, writer.size());
  core_.to_peer(to, writer.written());
}

auto Core::Ghosts::say(ByteWriter& writer, WorkerSlot to, Telling& telling, Handle handle,
                       Told& told) -> Said {
  const world::World& world = *core_.world_;
  const world::Entity* entity = world.find(handle);
  if (entity == nullptr || entity->remote) {
    // Who it went to has it; everybody else has to let it go.
    const bool theirs = entity != nullptr && owner_of(handle) == to;
    if (!theirs && told.once) telling.gone.push_back(handle);
    return Said::NotOurs;
  }
  const Tick now = core_.next_;
  const std::size_t before = writer.size();
  const auto settled = [&](bool fits) {
    if (!fits) writer.rewind(before);
    return fits ? Said::Yes : Said::NoRoom;
  };
  const EntityKind kind = world.type_of(*entity).kind;
  const world::TimelineLog* log = world.timeline(handle);
  if (!told.once || (log != nullptr && log->last_version() != told.version)) {
    return say_thing(writer, telling, *entity, told) ? Said::Yes : Said::NoRoom;
  }
  if (kind == EntityKind::Actor) {
    const world::ActorTrace* trace = world.traces(handle)->find(now);
    return trace == nullptr ? Said::Yes
                            : settled(put(writer, GhostRecord::Trace) && writer.number(handle) &&
                                      world::walk_trace(writer, *trace));
  }
  if (kind != EntityKind::Body || ticks_between(told.at, now) < motion_ticks) return Said::Yes;
  const auto motion = world.motion(handle, now);
  if (!motion || (told.rests && motion->rests())) return Said::Yes;
  const Said said = settled(put(writer, GhostRecord::Motion) && writer.number(handle) &&
                            world::walk_motion(writer, *motion));
  if (said == Said::Yes) {
    told.at = now;
    told.rests = motion->rests();
  }
  return said;
}

// What carries it comes first: without it nobody knows where it is, and a door is not told of.
bool Core::Ghosts::say_thing(ByteWriter& writer, Telling& telling, const world::Entity& entity,
                             Told& told) {
  const world::World& world = *core_.world_;
  const world::Entity* carrier = world.find(entity.parent);
  const bool told_of =
      carrier != nullptr && !carrier->remote && world.voxels(carrier->handle) == nullptr;
  if (told_of) {
    Told& under = telling.things[carrier->handle];
    if (!under.once && !say_thing(writer, telling, *carrier, under)) return false;
  } else if (entity.parent != no_entity && world.timeline(entity.handle) != nullptr) {
    told.once = true;
    return true;
  }
  const Tick now = core_.next_;
  GhostThing thing{.entity = entity};
  if (const auto motion = world.motion(entity.handle, now)) thing.motion = *motion;
  if (const world::World::ActorTraces* traces = world.traces(entity.handle)) {
    const world::ActorTrace* trace = traces->find(now);
    thing.trace =
        trace != nullptr ? *trace : world::ActorTrace{entity.parent, entity.local.position, {}};
  }
  if (const world::TimelineLog* log = world.timeline(entity.handle)) thing.log = *log;
  const std::size_t before = writer.size();
  const bool fits =
      put(writer, GhostRecord::Thing) && walk_thing(writer, std::as_const(thing), world.types());
  if (!fits) {
    writer.rewind(before);
    return false;
  }
  told = {
      .once = true, .rests = thing.motion.rests(), .version = thing.log.last_version(), .at = now};
  return true;
}

void Core::Ghosts::on_again(WorkerSlot from, std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  GhostsAgain again;
  if (!walk_again(reader, again) || !reader.at_end()) return core_.drop(Count::DropMalformed);
  const auto found = told_.find(from);
  const bool current = found != told_.end() && again.incarnation == core_.map_.incarnation &&
                       again.epoch == found->second.epoch && found->second.sequence > 0;
  if (current) found->second.begin_anew();
}

}  // namespace perigee::worker
