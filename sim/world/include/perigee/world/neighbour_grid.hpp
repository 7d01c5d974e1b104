/// The index of nearby entities: small ones by cell, large ones in a list. Entities at rest stay
/// filed; the others are filed anew each tick. No memory is allocated after start.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "perigee/world/entity_record.hpp"
#include "perigee/world/world_setup.hpp"

namespace perigee::world {

/// Entities with bounds by the cell of their centre. An entity may be larger than a cell by up to
/// half a cell on each side.
class GridCells {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;
  struct Entry {
    const EntityRecord* record = nullptr;  ///< none: free
    Bounds bounds;                         ///< world, over the whole tick
    std::uint32_t next = none;             ///< next in its bucket or in the free list
  };

  explicit GridCells(const WorldLimits& limits);
  void clear();
  std::uint32_t add(const EntityRecord& record, const Bounds& bounds);
  void remove(std::uint32_t entry);
  /// Includes free entries.
  std::span<const Entry> entries() const { return entries_; }
  /// Calls visit(const EntityRecord&) for all entities with overlapping bounds.
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
  struct Cell {
    std::int64_t x, y, z;
  };
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
  /// A query asks for the buckets of dozens of cells, most of which are empty. One product spreads
  /// neighbouring cells well enough.
  std::size_t bucket(const Cell& cell) const {
    const std::uint64_t sum = static_cast<std::uint64_t>(cell.x) * 0x9e3779b97f4a7c15U +
                              static_cast<std::uint64_t>(cell.y) * 0xc2b2ae3d27d4eb4fU +
                              static_cast<std::uint64_t>(cell.z) * 0x165667b19e3779f9U;
    return static_cast<std::size_t>((sum * 0xd6e8feb86659fd93U) >> bucket_shift_);
  }

  double cell_m_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> heads_;  ///< as many as a power of two
  int bucket_shift_;
  std::uint32_t free_ = none;
};

class NeighbourGrid {
 public:
  explicit NeighbourGrid(const WorldLimits& limits);

  /// Removes all entities that are not kept: the caller files them as they are in the tick.
  void begin(Tick tick);
  /// The entries are of this tick, and complete.
  bool is_of(Tick tick) const { return valid_ && tick_ == tick; }
  bool valid() const { return valid_; }
  /// Called when an entity was added or removed, until the next begin().
  void invalidate() { valid_ = false; }

  /// Files an entity until the next begin().
  void add(const EntityRecord& record, const Bounds& bounds);
  /// Files an entity at rest or on an endless path, until unkeep().
  void keep(EntityRecord& record, const Bounds& bounds);
  void unkeep(EntityRecord& record);
  /// Bounds of a kept entity.
  static const Bounds& kept_bounds(const EntityRecord& record) {
    return record.still ? record.still->bounds : *record.rounds;
  }

  /// Scheduled objects with announced changes, with the bounds of their whole path.
  void add_door(EntityRecord& record, const Bounds& path);
  /// The same on moving carriers: until the next clear_carried_doors().
  void add_carried_door(const EntityRecord& record) { carried_doors_.push_back(&record); }
  void clear_carried_doors() { carried_doors_.clear(); }
  void remove_door(const EntityRecord& record);

  /// Calls visit(const EntityRecord&) for all entities with overlapping bounds.
  template <class Visit>
  void find(const Bounds& query, Visit&& visit) const {
    for (const GridCells::Entry& entry : large_) {
      if (overlap(entry.bounds, query)) visit(*entry.record);
    }
    for (const EntityRecord* record : still_large_) {
      if (overlap(kept_bounds(*record), query)) visit(*record);
    }
    still_.find(query, visit);
    moving_.find(query, visit);
  }
  /// Calls visit(const EntityRecord&) for all doors that may be there, and for some others.
  template <class Visit>
  void find_doors(const Bounds& query, Visit&& visit) const {
    doors_.find(query, visit);
    for (const auto* list : {&wide_doors_, &carried_doors_}) {
      for (const EntityRecord* record : *list) visit(*record);
    }
  }
  /// Calls visit(const EntityRecord&, const Bounds&) for each entity.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const EntityRecord* record : still_large_) visit(*record, kept_bounds(*record));
    const std::span<const GridCells::Entry> large(large_);
    for (const auto entries : {large, still_.entries(), moving_.entries()}) {
      for (const GridCells::Entry& entry : entries) {
        if (entry.record != nullptr) visit(*entry.record, entry.bounds);
      }
    }
  }

 private:
  bool is_large(const Bounds& bounds) const;

  double cell_m_;
  Tick tick_;
  bool valid_ = false;
  GridCells still_, moving_;
  std::vector<GridCells::Entry> large_;
  std::vector<const EntityRecord*> still_large_;  ///< by entity id
  GridCells doors_;
  std::vector<const EntityRecord*> wide_doors_;     ///< larger than a cell
  std::vector<const EntityRecord*> carried_doors_;  ///< by entity id
};

}  // namespace perigee::world
