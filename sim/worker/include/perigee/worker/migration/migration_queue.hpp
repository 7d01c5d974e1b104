/// The migration queue: own entities that other workers should have, offered a few per tick.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <set>

#include "perigee/worker/migration/migration_destinations.hpp"

namespace perigee::worker {

/// The order in which the members of a place migrate: carriers before passengers.
enum class MigrationRank : std::uint8_t { Fixture, Body, Actor };
MigrationRank migration_rank(const world::World& world, Handle entity);

class MigrationQueue {
 public:
  static constexpr std::int32_t look_ticks = 6;  ///< interval for scanning moving entities
  static constexpr std::int32_t look_at_resting_ticks = 60;
  /// Entities scanned per tick while the map is new.
  static constexpr std::size_t looks_per_tick_max = 4096;
  /// Entities offered per tick; a player counts as eight. More: longer ticks while a region changes
  /// its owner; less: that takes longer.
  static constexpr std::int32_t offered_per_tick = 32, player_weight = 8;
  static constexpr std::int32_t looked_at_per_tick = 256;  ///< queue entries examined per tick

  struct Needs {
    const world::World& world;
    const MigrationDestinations& destinations;
    const Tick& next;  ///< the tick that is simulated next
    /// The group of this root was offered for a tick that has not passed.
    std::function<bool(Handle root)> is_offered;
    /// The group has migrated a moment ago.
    std::function<bool(Handle root)> rests;
    /// No message can carry the group.
    std::function<bool(const world::Group&)> is_too_large;
    /// False: the group cannot be offered now, and stays in the queue.
    std::function<bool(Handle root, WorkerSlot to)> offer;
  };
  explicit MigrationQueue(Needs needs) : needs_(std::move(needs)) {}

  /// The map has changed: all entities are scanned soon.
  void on_map() { look_at_all_until_ = needs_.next + look_at_all_ticks(); }
  /// Keeps the time of the last scan comparable with the present tick.
  void keep_times();
  /// Scans moving entities ten times a second and resting ones once a second. After a change of the
  /// map it soon scans all of them.
  void find();
  /// Offers as many entities as fit into a tick, in turn. Those that cannot leave yet wait for the
  /// next round.
  void offer_some();
  std::size_t size() const { return queue_.size(); }

 private:
  /// Sorted by place, and carriers before passengers. Neighbouring entities thus migrate shortly
  /// after one another, and within a few ticks a player is again at the same worker as the things
  /// that it uses or digs.
  struct Entry {
    std::int32_t x = 0, y = 0, z = 0;  ///< the place, in cells of `cell_m`
    MigrationRank rank{};
    Handle handle = no_entity;
    auto operator<=>(const Entry&) const = default;
  };
  static constexpr double cell_m = 64;

  std::int32_t look_at_all_ticks() const;
  void add(const world::Entity& entity);
  std::int32_t offer(const Entry& entry);
  std::int32_t weight_of(const world::Group& group) const;

  const Needs needs_;
  std::set<Entry> queue_;
  std::map<Handle, Entry> by_handle_;
  Entry examined_;          ///< the last examined entry
  Tick look_at_all_until_;  ///< including resting ones: the map has changed
};

}  // namespace perigee::worker
