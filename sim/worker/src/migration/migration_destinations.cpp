#include "perigee/worker/migration/migration_destinations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "perigee/replication/published.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using world::EntityKind;

std::optional<WorkerSlot> MigrationDestinations::owner_at(const Vec3& place,
                                                          double beyond_m) const {
  const RegionEntry* at = nullptr;
  double nearest_m = 0;
  for (const RegionEntry& region : needs_.cluster.map().regions) {
    const world::Bounds box{region.low, region.high};
    const bool ours = region.owner == needs_.cluster.self();
    if (ours && beyond_m > 0 && world::inflated(box, beyond_m).contains(place)) return std::nullopt;
    const double away_m = replication::distance_to(box, place);
    if (at != nullptr && away_m >= nearest_m) continue;
    at = &region;
    nearest_m = away_m;
  }
  // Unlike `distance_to`, region_at() excludes a box's upper sides.
  if (const RegionEntry* inside = needs_.cluster.map().region_at(place)) at = inside;
  if (at == nullptr || !at->owner || at->owner == needs_.cluster.self()) return std::nullopt;
  const WorkerEntry* owner = needs_.cluster.map().worker(*at->owner);
  return owner != nullptr && owner->alive ? at->owner : std::nullopt;
}

Vec3 MigrationDestinations::center_of(const world::Entity& entity) const {
  const auto pose = needs_.world.pose(entity.handle, needs_.next);
  if (!pose) return entity.local.position;
  if (!needs_.world.fixtures(entity.handle)) return pose->position;
  return transform(*pose, needs_.world.type_of(entity).shape->bounds().center());
}

std::optional<WorkerSlot> MigrationDestinations::owner_of_cells_near(
    const world::Group& group) const {
  const world::Entity* ground = needs_.world.cells_near(group.members, comes_to_cells_m);
  if (ground == nullptr || !ground->remote) return std::nullopt;
  return needs_.owner_of(ground->handle);
}

/// The ground under its players is still ours.
bool MigrationDestinations::waits_for_its_cells(const world::Group& group) const {
  const world::Entity* ground = needs_.world.cells_near(group.members, leaves_cells_m);
  if (ground == nullptr || ground->remote) return false;
  return !needs_.leaves_soon(ground->handle);
}

// The owner at the root's place. But a group may stand on, be hinged to or touch entities of
// another worker. If one of these is heavier or a scheduled object, the group follows that worker,
// wherever the border is: one worker has to solve both. It stays if the entities have several
// owners.
std::optional<WorkerSlot> MigrationDestinations::of(const world::Group& group) const {
  const world::World& world = needs_.world;
  const world::Entity& root = *world.find(group.root);
  if (world.fixtures(group.root)) return owner_at(center_of(root), 0);
  const auto by_place = owner_at(center_of(root), beyond_border_m);
  const auto is_actor = [&](Handle handle) {
    return world.type_of(*world.find(handle)).kind == EntityKind::Actor;
  };
  const bool people = std::any_of(group.members.begin(), group.members.end(), is_actor);
  if (people && waits_for_its_cells(group)) return std::nullopt;
  const auto of_cells = people ? owner_of_cells_near(group) : std::nullopt;
  if (group.foreign.empty()) return of_cells ? of_cells : by_place;
  const auto weight = [&](Handle handle) {
    const world::Entity& entity = *world.find(handle);
    const world::EntityType& type = world.type_of(entity);
    return std::pair(type.kind == EntityKind::Body ? type.mass_kg : 0, entity.id);
  };
  const auto owner = needs_.owner_of(group.foreign.front());
  bool follows = false;
  for (const Handle foreign : group.foreign) {
    if (!owner || needs_.owner_of(foreign) != owner) return std::nullopt;
    const EntityKind kind = world.type_of(*world.find(foreign)).kind;
    follows |= kind == EntityKind::Timeline || weight(foreign) > weight(group.root);
  }
  if (follows || by_place == owner || of_cells == owner) return owner;
  return std::nullopt;
}

bool MigrationDestinations::may_migrate(const world::Entity& entity) const {
  const world::World& world = needs_.world;
  const world::Entity* parent = world.find(entity.parent);
  switch (world.type_of(entity).kind) {
    case EntityKind::Static:
      return owner_at(center_of(entity), 0).has_value();
    case EntityKind::Timeline:
      return (parent == nullptr || parent->remote) && world.fixtures(entity.handle) &&
             owner_at(center_of(entity), 0).has_value();
    case EntityKind::Body:
      return owner_at(center_of(entity), beyond_border_m) || world.touches_remote(entity.handle);
    case EntityKind::Actor: {
      if (parent != nullptr && parent->remote) return true;
      if (owner_at(center_of(entity), beyond_border_m)) return true;
      const world::Entity* ground = world.cells_near(std::array{entity.handle}, comes_to_cells_m);
      return ground != nullptr && ground->remote;
    }
  }
  return false;
}

}  // namespace perigee::worker
