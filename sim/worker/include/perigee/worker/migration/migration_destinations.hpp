/// The worker that a group should be at: by the map, by what it stands on and touches, and by the
/// ground that its players may dig.
#pragma once

#include <functional>
#include <optional>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class MigrationDestinations {
 public:
  /// A group is offered when it is this far inside another worker's region: a player who walks
  /// along a border is not migrated with every step. Fixtures are offered at once: they do not move
  /// back.
  static constexpr double beyond_border_m = 32;
  /// Players this near to voxel ground are migrated to the owner of the ground, because only the
  /// owner lets them dig. They stay there until they are this far away.
  static constexpr double comes_to_cells_m = 32, leaves_cells_m = 64;

  struct Needs {
    const world::World& world;
    const ClusterView& cluster;
    const Tick& next;  ///< the tick that is simulated next
    /// The owner of a ghost. None: not known here.
    std::function<std::optional<WorkerSlot>(Handle ghost)> owner_of;
    /// The group of this root leaves now, or earlier than a group that is offered now.
    std::function<bool(Handle root)> leaves_soon;
  };
  explicit MigrationDestinations(Needs needs) : needs_(std::move(needs)) {}

  /// The worker that the group should migrate to. None: it stays.
  std::optional<WorkerSlot> of(const world::Group& group) const;
  /// A quick check of an own entity: its place belongs to another worker, or it is bound to another
  /// worker's entity.
  bool may_migrate(const world::Entity& entity) const;
  /// The other worker that owns the region at this place. None if the place is ours or within
  /// `beyond_m` of our regions. Outside of all regions the nearest one counts.
  std::optional<WorkerSlot> owner_at(const Vec3& place, double beyond_m) const;
  Vec3 center_of(const world::Entity& entity) const;

 private:
  std::optional<WorkerSlot> owner_of_cells_near(const world::Group& group) const;
  bool waits_for_its_cells(const world::Group& group) const;

  const Needs needs_;
};

}  // namespace perigee::worker
