/// The regions of the map: their boxes, owners and epochs, and the changes of those. Which change
/// is right is decided elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/directory/balance.hpp"
#include "perigee/directory/space.hpp"

namespace perigee::directory {

/// The world in metres. Its faces need not lie on the grid of cells. All planes inside it do.
struct WorldBox {
  Vec3 low, high;
};
/// Entries with the boxes of all regions, by id.
std::vector<RegionEntry> drawn(const WorldBox& world, const Space& space);

class RegionMap {
 public:
  struct Needs {
    const ClusterMap& map;
    std::vector<RegionEntry>& entries;  ///< of `map`; written here alone
    std::uint64_t& version;             ///< of `map`
    WorldBox world;
  };
  /// The last change of a region.
  struct LastChange {
    std::uint64_t version = 0;       ///< of the map
    std::optional<Micros> moved_us;  ///< entities have had to migrate since
  };
  RegionMap(Needs needs, Space space) : needs_(needs), space_(std::move(space)) {}

  /// Draws the entries of a new world.
  void draw();
  /// All entries were restored: their owners must acknowledge them anew.
  void note_restored();

  // Changes of owner. The region must exist.
  /// The new owner creates the region's content.
  void assign(RegionId region, WorkerSlot owner);
  /// The content comes from the former owner, or is part of what the new owner takes over from it.
  void hand_over(Micros now_us, RegionId region, WorkerSlot owner);
  /// The content is lost.
  void take_away(RegionId region);
  /// Whether the next owner creates the content from the last checkpoint.
  void set_from_checkpoint(RegionId region, bool so);
  /// Applies a change that was found possible by the plan or the operator's request. Returns the
  /// new region of a split.
  std::optional<RegionId> make(Micros now_us, const Change& change);

  const Space& space() const { return space_; }
  const std::vector<RegionEntry>& entries() const { return needs_.entries; }
  const RegionEntry* find(RegionId region) const { return needs_.map.region(region); }
  /// Null: none under this directory.
  const LastChange* last_change(RegionId region) const;
  /// Those with a living owner.
  std::map<RegionId, WorkerSlot> owners() const;
  std::vector<RegionId> owned_by(WorkerSlot slot) const;
  bool owns_any(WorkerSlot slot) const;
  /// The living worker with the fewest regions, preferably not a draining one.
  std::optional<WorkerSlot> least_loaded_worker() const;
  /// Number of changes made, by kind.
  const std::array<std::uint64_t, change_kinds>& changes() const { return changes_; }

 private:
  RegionEntry& entry(RegionId region);
  void note_change(RegionId region, std::optional<Micros> moved_us);

  Needs needs_;
  Space space_;
  std::map<RegionId, LastChange> last_changes_;
  std::array<std::uint64_t, change_kinds> changes_{};
};

}  // namespace perigee::directory
