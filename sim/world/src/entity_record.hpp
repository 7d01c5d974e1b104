/// The state of one entity in a World, and the index of nearby entities.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "perigee/world/frame.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

struct World::Record {
  using Motions = TickRing<Motion, history_ticks>;

  Entity entity;
  const EntityType* type = nullptr;
  Motion start;                         ///< statics: permanent; bodies: at their spawn
  BodyId body = no_body;                ///< once it has entered physics
  std::unique_ptr<Motions> motions;     ///< bodies only; none once at rest for the whole history
  std::unique_ptr<ActorTraces> traces;  ///< actors only
  std::unique_ptr<ActorTraces> drawn;   ///< actors only: where shots hit it, see correct_actor
  Tick traced_at;                       ///< the newest tick of them
  TimelineLog log;                      ///< scheduled objects only
  /// A patch's chunk as a body, in the state of that version.
  struct ChunkBody {
    BodyId body = no_body;
    std::optional<std::uint16_t> version;
  };
  std::unique_ptr<VoxelPatch> voxels;
  std::vector<ChunkBody> chunk_bodies;
  bool lively = false;  ///< in World::lively_
  bool driven = false;
  Vec3 drive_velocity, drive_angular;
  MotionOnward received;  ///< remote bodies: the owner's newest motion
  Tick received_at;
  bool received_any = false;  ///< false: still the place of its spawn
  /// A place that it keeps from a tick on, until World::rouse.
  struct Still {
    std::optional<Tick> since;  ///< none: before the whole history
    Motion at;
    Bounds bounds;  ///< world

    bool at_tick(Tick tick) const { return !since || not_after(*since, tick); }
  };
  std::optional<Still> still;
  /// An endless scheduled object: bounds of its whole path, world.
  std::optional<Bounds> rounds;
  std::uint32_t cell_entry = 0;             ///< grid entry, if at rest or on an endless path
  std::optional<std::uint32_t> door_entry;  ///< grid entry of a scheduled object with changes

  /// Held for a while if its owner is silent; a trace older than the newest is exact or unknown.
  const ActorTrace* trace(Tick tick) const { return held(*traces, tick); }
  const ActorTrace* drawn_trace(Tick tick) const { return held(*drawn, tick); }
  const ActorTrace* held(const ActorTraces& of, Tick tick) const {
    constexpr std::int32_t hold_ticks_max = 15;
    const ActorTrace* exact = of.find(tick);
    const std::int32_t silent = ticks_between(traced_at, tick);
    if (exact != nullptr || silent <= 0 || silent > hold_ticks_max) return exact;
    return of.find(traced_at);
  }
  /// As last received from its owner, extrapolated.
  Motion remote_motion(Tick tick) {
    const std::int32_t ticks = ticks_between(received_at, tick);
    if (received.origin().rests()) return received.origin();
    const Motion& at = received.after(std::min(ticks, catch_up_ticks));
    return ticks <= catch_up_ticks ? at : Motion{.pose = at.pose};
  }
  bool is(EntityKind kind) const { return type->kind == kind; }
  bool moves_by_physics() const { return is(EntityKind::Body) && !entity.remote; }
};

/// Small entities by cell, large ones in a list. Entities at rest stay filed; the others are filed
/// anew each tick. No memory is allocated after start.
struct World::Grid {
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Entry {
    const Record* record = nullptr;  ///< none: free
    Bounds bounds;                   ///< world, over the whole tick
    std::uint32_t next = none;       ///< next in its bucket or in the free list
  };
  struct Cell {
    std::int64_t x, y, z;
  };

  class Cells {
   public:
    explicit Cells(const WorldLimits& limits);
    void clear();
    std::uint32_t add(const Record& record, const Bounds& bounds);
    void remove(std::uint32_t entry);
    /// Includes free entries.
    std::span<const Entry> entries() const { return entries_; }
    /// Calls visit(const Record&) for all entities with overlapping bounds.
    template <class Visit>
    void find(const Bounds& query, Visit&& visit) const {
      const Bounds reach = inflated(query, cell_m_ * 0.5);
      const Cell low = cell_of(reach.low);
      const Cell high = cell_of(reach.high);
      for (std::int64_t x = low.x; x <= high.x; ++x) {
        for (std::int64_t y = low.y; y <= high.y; ++y) {
          for (std::int64_t z = low.z; z <= high.z; ++z) find_in({x, y, z}, query, visit);
        }
      }
    }

   private:
    template <class Visit>
    void find_in(const Cell& cell, const Bounds& query, Visit&& visit) const {
      for (std::uint32_t at = heads_[bucket(cell)]; at != none; at = entries_[at].next) {
        const Entry& entry = entries_[at];
        if (!overlap(entry.bounds, query)) continue;
        // Several cells may share a bucket: an entry belongs to one cell only.
        const Cell own = cell_of(entry.bounds.center());
        if (own.x == cell.x && own.y == cell.y && own.z == cell.z) visit(*entry.record);
      }
    }
    Cell cell_of(const Vec3& point) const;
    std::size_t bucket(const Cell& cell) const;

    double cell_m_;
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> heads_;
    std::uint32_t free_ = none;
  };

  explicit Grid(const WorldLimits& limits)
      : cell_m(limits.cell_m),
        still(limits),
        moving(limits),
        doors({.entities_max = limits.entities_max / 8 + 1, .cell_m = door_cell_m}) {
    large.reserve(limits.entities_max);
  }
  /// Removes all entities that are not at rest.
  void begin(Tick of) {
    tick = of;
    valid = true;
    moving.clear();
    large.clear();
  }
  /// Bounds of an entity that stays filed.
  const Bounds& kept_bounds(const Record& record) const {
    return record.still ? record.still->bounds : *record.rounds;
  }
  bool is_large(const Bounds& bounds) const {
    const Vec3 size = bounds.size();
    return std::max({size.x, size.y, size.z}) > cell_m;
  }
  template <class Visit>
  void find(const Bounds& query, Visit&& visit) const {
    for (const Entry& entry : large) {
      if (overlap(entry.bounds, query)) visit(*entry.record);
    }
    for (const Record* record : still_large) {
      if (overlap(kept_bounds(*record), query)) visit(*record);
    }
    still.find(query, visit);
    moving.find(query, visit);
  }

  double cell_m;
  Tick tick;           ///< the entries are of this tick ..
  bool valid = false;  ///< .. if valid
  Cells still, moving;
  std::vector<Entry> large;
  std::vector<const Record*> still_large;     ///< by entity id
  static constexpr double door_cell_m = 128;  ///< queries for them have a radius of 30 m
  Cells doors;                                ///< with bounds of their whole path
  std::vector<const Record*> wide_doors;      ///< larger than a cell
  std::vector<const Record*> carried_doors;   ///< on moving carriers: by entity id
};

}  // namespace perigee::world
