#include "perigee/worker/migration/migration_queue.hpp"

#include <algorithm>
#include <cmath>

#include "perigee/base/kept_tick.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

MigrationRank migration_rank(const world::World& world, Handle entity) {
  if (world.fixtures(entity)) return MigrationRank::Fixture;
  return world.type_of(*world.find(entity)).kind == world::EntityKind::Actor ? MigrationRank::Actor
                                                                             : MigrationRank::Body;
}

void MigrationQueue::keep_times() {
  if (kept_ticks_turn(needs_.next)) move_along(look_at_all_until_, needs_.next);
}

std::int32_t MigrationQueue::look_at_all_ticks() const {
  const std::size_t ticks = needs_.world.size() / looks_per_tick_max + 1;
  return std::max(look_ticks, static_cast<std::int32_t>(ticks));
}

void MigrationQueue::find() {
  const Tick now = needs_.next;
  const bool all = before(now, look_at_all_until_);
  const auto look = [&](const world::Entity& entity) {
    if (!entity.remote && !by_handle_.contains(entity.handle) &&
        needs_.destinations.may_migrate(entity)) {
      add(entity);
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

void MigrationQueue::add(const world::Entity& entity) {
  const Vec3 at = needs_.destinations.center_of(entity);
  const auto cell = [](double m) { return static_cast<std::int32_t>(std::floor(m / cell_m)); };
  const Entry entry{cell(at.x), cell(at.y), cell(at.z), migration_rank(needs_.world, entity.handle),
                    entity.handle};
  queue_.insert(entry);
  by_handle_.emplace(entity.handle, entry);
}

std::int32_t MigrationQueue::weight_of(const world::Group& group) const {
  std::int32_t weight = 0;
  for (const Handle member : group.members)
    weight += migration_rank(needs_.world, member) == MigrationRank::Actor ? player_weight : 1;
  return weight;
}

void MigrationQueue::offer_some() {
  if (queue_.empty()) return;
  std::int32_t left = offered_per_tick;
  auto at = queue_.upper_bound(examined_);
  const auto looks = std::min<std::size_t>(queue_.size(), looked_at_per_tick);
  for (std::size_t i = 0; i < looks && left > 0 && !queue_.empty(); ++i) {
    if (at == queue_.end()) at = queue_.begin();
    const Entry entry = examined_ = *at++;
    left -= offer(entry);
  }
}

/// Returns the cost. Drops entities that are not here, or belong here, from the queue.
std::int32_t MigrationQueue::offer(const Entry& entry) {
  const auto forget = [&] {
    by_handle_.erase(entry.handle);
    queue_.erase(entry);
    return 0;
  };
  if (needs_.is_offered(entry.handle)) return 0;
  const world::Entity* entity = needs_.world.find(entry.handle);
  if (entity == nullptr || entity->remote) return forget();
  const world::Group group = needs_.world.group_of(entry.handle);
  if (needs_.is_offered(group.root) || needs_.rests(group.root)) return 0;
  const auto to = needs_.destinations.of(group);
  if (!to || needs_.is_too_large(group)) return forget();
  if (!needs_.offer(group.root, *to)) return 0;
  return weight_of(group);
}

}  // namespace perigee::worker
