// Migration queue: finds entities in other workers' regions and offers them to the owners.
#include <algorithm>
#include <array>
#include <cmath>

#include "migrations.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

using world::EntityKind;

/// The other worker that owns the region at this place; none if the place is ours or within
/// `beyond_m` of our regions. Outside of all regions the nearest one counts.
std::optional<WorkerSlot> Migrations::owner_at(const Vec3& place, double beyond_m) const {
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

Vec3 Migrations::center_of(const world::Entity& entity) const {
  const auto pose = needs_.world.pose(entity.handle, needs_.next);
  if (!pose) return entity.local.position;
  if (!needs_.world.fixtures(entity.handle)) return pose->position;
  return transform(*pose, needs_.world.type_of(entity).shape->bounds().center());
}

std::optional<WorkerSlot> Migrations::owner_of_cells_near(const world::Group& group) const {
  const world::Entity* ground = needs_.world.cells_near(group.members, comes_to_cells_m);
  if (ground == nullptr || !ground->remote) return std::nullopt;
  return needs_.ghosts.owner_of(ground->handle);
}

/// The ground under its players is still ours.
bool Migrations::waits_for_its_cells(const world::Group& group) const {
  const world::Entity* ground = needs_.world.cells_near(group.members, leaves_cells_m);
  if (ground == nullptr || ground->remote) return false;
  const auto offered = due_.find(ground->handle);
  return offered == due_.end() || before(needs_.next + ahead_ticks, offered->second);
}

// The owner at the root's place. But a group that stands on, is hinged to or touches something
// heavier of one other worker follows that one, wherever the border is: one worker has to solve
// both.
std::optional<WorkerSlot> Migrations::destination(const world::Group& group) const {
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
  const auto owner = needs_.ghosts.owner_of(group.foreign.front());
  bool follows = false;
  for (const Handle foreign : group.foreign) {
    if (!owner || needs_.ghosts.owner_of(foreign) != owner) return std::nullopt;
    const EntityKind kind = world.type_of(*world.find(foreign)).kind;
    follows |= kind == EntityKind::Timeline || weight(foreign) > weight(group.root);
  }
  if (follows || by_place == owner || of_cells == owner) return owner;
  return std::nullopt;
}

/// A quick check: its place belongs to another worker, or it is bound to another worker's entity.
bool Migrations::may_go(const world::Entity& entity) const {
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

std::int32_t Migrations::look_at_all_ticks() const {
  const std::size_t ticks = needs_.world.size() / looks_per_tick_max + 1;
  return std::max(look_ticks, static_cast<std::int32_t>(ticks));
}

/// Scans moving entities ten times a second and resting ones once a second; all of them soon after
/// a change of the map.
void Migrations::find_migrations() {
  const Tick now = needs_.next;
  const bool all = before(now, look_at_all_until_);
  const auto look = [&](const world::Entity& entity) {
    if (!entity.remote && !queued_by_handle_.contains(entity.handle) && may_go(entity)) {
      add_stray(entity);
    }
  };
  if (all) {
    const auto turns = static_cast<std::uint32_t>(look_at_all_ticks());
    needs_.world.look_through(now.count % turns, turns,
                              [&](const world::Entity& entity, bool) { look(entity); });
  } else {
    needs_.world.for_each_lively([&](const world::Entity& entity) {
      if (entity.handle % look_ticks == now.count % look_ticks) look(entity);
    });
  }
  needs_.world.look_through(now.count % look_at_resting_ticks, look_at_resting_ticks,
                            [&](const world::Entity& entity, bool rests) {
                              if (rests) look(entity);
                            });
}

int Migrations::rank_of(Handle handle) const {
  const world::World& world = needs_.world;
  if (world.fixtures(handle)) return 0;
  return world.type_of(*world.find(handle)).kind == EntityKind::Actor ? 2 : 1;
}

void Migrations::add_stray(const world::Entity& entity) {
  const Vec3 at = center_of(entity);
  const auto cell = [](double m) {
    return static_cast<std::int32_t>(std::floor(m / stray_cell_m));
  };
  const QueuedEntity stray{cell(at.x), cell(at.y), cell(at.z), rank_of(entity.handle),
                           entity.handle};
  queue_.insert(stray);
  queued_by_handle_.emplace(entity.handle, stray);
}

std::int32_t Migrations::weight_of(const world::Group& group) const {
  std::int32_t weight = 0;
  for (const Handle member : group.members) weight += rank_of(member) == 2 ? player_weight : 1;
  return weight;
}

/// No message can carry the group: it stays where it is, whichever region that is.
bool Migrations::is_too_large(const world::Group& group) const {
  const auto hinges = needs_.world.hinges_among(group.members);
  const bool large =
      group.members.size() > world::group_things_max || hinges > world::group_hinges_max;
  if (large) needs_.counts.add(metric.groups_too_large);
  return large;
}

/// Offers as many as fit into a tick, in turn; those that cannot leave yet wait for the next round.
void Migrations::offer_some() {
  if (queue_.empty() || !may_more_leave()) return;
  std::int32_t left = offered_per_tick;
  auto at = queue_.upper_bound(looked_at_);
  const auto looks = std::min<std::size_t>(queue_.size(), looked_at_per_tick);
  for (std::size_t i = 0; i < looks && left > 0 && !queue_.empty(); ++i) {
    if (at == queue_.end()) at = queue_.begin();
    const QueuedEntity stray = looked_at_ = *at++;
    left -= offer(stray);
  }
}

/// Returns the cost. Drops entities that are not here, or belong here, from the queue.
std::int32_t Migrations::offer(const QueuedEntity& stray) {
  const auto forget = [&] {
    queued_by_handle_.erase(stray.handle);
    queue_.erase(stray);
    return 0;
  };
  const Tick now = needs_.next;
  const auto under_way = [&](Handle root) {
    const auto offered = offered_.find(root);
    return offered != offered_.end() && not_after(now, offered->second);
  };
  if (under_way(stray.handle)) return 0;
  const world::Entity* entity = needs_.world.find(stray.handle);
  if (entity == nullptr || entity->remote) return forget();
  const world::Group group = needs_.world.group_of(stray.handle);
  if (under_way(group.root) || moved_.contains(group.root)) return 0;
  const auto to = destination(group);
  if (!to || is_too_large(group)) return forget();
  const auto incarnation = block_of(*to);
  if (!needs_.replication.may_move()) return 0;
  if (!incarnation || !needs_.ghosts.tells_all_to(*to) || own_log().leaving(group.root)) return 0;
  // The receiver was not ready in time.
  if (own_log().moving(group.root)) own_log().give_up(group.root);
  request_move(group.root, *incarnation);
  offered_[group.root] = now + ahead_ticks;
  return weight_of(group);
}

}  // namespace perigee::worker
