// Finds which of our entities are in the bands of which workers. All entities are checked in turn.
#include <algorithm>

#include "ghosts/ghosts.hpp"

namespace perigee::worker {
namespace {

using world::Bounds;
using world::EntityKind;

void include(Bounds& all, const Bounds& also) {
  all.low = {std::min(all.low.x, also.low.x), std::min(all.low.y, also.low.y),
             std::min(all.low.z, also.low.z)};
  all.high = {std::max(all.high.x, also.high.x), std::max(all.high.y, also.high.y),
              std::max(all.high.z, also.high.z)};
}

}  // namespace

bool Ghosts::Sending::reaches(const Bounds& place, double m) const {
  if (everything) return true;
  const Bounds reach = world::inflated(place, m);
  const auto near = [&](const Bounds& box) { return world::overlap(box, reach); };
  return std::any_of(regions.begin(), regions.end(), near) ||
         std::any_of(out_of_region.begin(), out_of_region.end(), near);
}

/// Ticks until all entities have been checked.
std::size_t Ghosts::look_turns() const {
  return std::max<std::size_t>(look_ticks, needs_.world.size() / looks_per_tick_max + 1);
}

/// Checks a twelfth of all entities, or as many as a tick has time for. Moving ones are always
/// checked equally often.
void Ghosts::look_at_some() {
  const std::size_t came = std::min(came_.size(), looks_per_tick_max);
  const auto last_came = came_.begin() + static_cast<std::ptrdiff_t>(came);
  turn_.assign(came_.begin(), last_came);
  came_.erase(came_.begin(), last_came);
  const std::size_t turns = look_turns();
  if (rounds_.over()) {
    const auto seen = std::exchange(out_of_region_found_, {});
    if (rounds_.ended(rounds_.number())) out_of_region_ = seen;
    rounds_.begin(needs_.world.in_order(), turns);
  }
  const auto part = rounds_.take();
  turn_.insert(turn_.end(), part.begin(), part.end());
  if (turns > look_ticks) {
    const std::size_t moving = needs_.next.count % look_ticks;
    for (std::size_t i = moving; i < lively_.size(); i += look_ticks) turn_.push_back(lively_[i]);
  }
  look(turn_);
}

/// The entity whose state is the world's is in every worker's band.
void Ghosts::list_everywhere() {
  const Handle world_entity = needs_.world.world_entity();
  const world::Entity* entity = needs_.world.find(world_entity);
  if (entity == nullptr || entity->remote) return;
  for (auto& [slot, sending] : sent_) {
    if (sending.things.try_emplace(world_entity).second) sending.unsent.insert(world_entity);
  }
}

/// Notes an own entity in another worker's region: the owner of the region then replicates its
/// surroundings to us.
void Ghosts::enqueue(const world::Entity& entity, const Bounds& place) {
  const RegionEntry* at = needs_.cluster.map().region_at(place.center());
  if (at == nullptr || at->owner == needs_.cluster.self()) return;
  const bool still = needs_.world.type_of(entity).kind == EntityKind::Static;
  const Bounds box = still ? Bounds{place.center(), place.center()} : place;
  add_out_of_region(out_of_region_, at->region, box);
  add_out_of_region(out_of_region_found_, at->region, box);
}

void Ghosts::add_out_of_region(OutOfRegion& out_of_region, RegionId region, const Bounds& box) {
  auto [seen, is_new] = out_of_region.try_emplace(region, box);
  if (is_new && out_of_region.size() > GhostHead::out_of_region_max) {
    out_of_region.erase(seen);
    seen = std::prev(out_of_region.end());
  }
  include(seen->second, box);
}

/// The place of the entity's outermost carrier: a ship counts together with its doors and
/// passengers.
std::optional<Bounds> Ghosts::place_of(const world::Entity& entity) const {
  const world::World& world = needs_.world;
  const world::Entity* carrier = &entity;
  while (const world::Entity* next = world.find(carrier->parent)) {
    if (next->remote || world.type_of(*next).kind == EntityKind::Static) break;
    carrier = next;
  }
  const auto at = world.pose(carrier->handle, needs_.next);
  if (!at) return std::nullopt;
  return world::transformed(*at, world.type_of(*carrier).shape->bounds());
}

/// Most workers are far away and receive nothing. One test against the common bounds of `handles`
/// skips these workers.
void Ghosts::look(std::span<const Handle> handles) {
  placed_.clear();
  for (const Handle handle : handles) {
    const world::Entity* entity = needs_.world.find(handle);
    if (entity == nullptr || entity->remote) continue;
    const auto place = place_of(*entity);
    if (!place) continue;
    enqueue(*entity, *place);
    if (needs_.world.type_of(*entity).everywhere) continue;
    placed_.emplace_back(handle, *place);
  }
  if (placed_.empty()) return;
  Bounds all = placed_.front().second;
  for (const auto& [handle, place] : placed_) include(all, place);
  concerned_.clear();
  for (auto& [slot, sending] : sent_) {
    const bool far = sending.has_only(needs_.world.world_entity());
    if (!far || sending.reaches(all, leave_m)) concerned_.push_back(&sending);
  }
  for (const auto& [handle, place] : placed_) look(handle, place);
}

void Ghosts::look(Handle handle, const Bounds& place) {
  const world::World& world = needs_.world;
  // Ground is sent before the entities that stand on it.
  const bool rests = world.type_of(*world.find(handle)).kind == EntityKind::Static;
  for (Sending* const each : concerned_) {
    Sending& sending = *each;
    const auto found = sending.things.find(handle);
    if (found != sending.things.end()) {
      if (sending.reaches(place, leave_m)) continue;
      sending.let_go(handle);
    } else if (sending.reaches(place, rests ? leave_m : band_m)) {
      // The receiver has as much room as we do, unless others fill it.
      sending.things[handle] = {};
      sending.unsent.insert(handle);
    }
  }
}

}  // namespace perigee::worker
