/// Queries for entities near a place: the neighbours of an actor, its possible parents, doors.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/world/entity_motions.hpp"
#include "perigee/world/neighbour_grid.hpp"
#include "perigee/world/parenting.hpp"

namespace perigee::world {

class NeighbourQueries {
 public:
  struct Needs {
    const EntityTable& entities;
    const EntityMotions& motions;
    const NeighbourGrid& grid;
    const Tick& now;
    ParentingParams parenting;
  };
  explicit NeighbourQueries(const Needs& needs) : needs_(needs) {}

  /// See World::gather_neighbours.
  std::uint32_t gather(Handle parent, const Bounds& around, Tick tick, Handle self,
                       Neighbours& out) const;
  /// See World::add_doors.
  void add_doors(Handle parent, const Bounds& around, Tick tick, Neighbours& out) const;
  /// See World::parent_candidates.
  void parent_candidates(const Vec3& world_point, Tick tick, Handle current,
                         ParentCandidates& out) const;
  /// See World::parents_within and World::doors_within.
  void parents_within(const Vec3& world_point, double m, std::vector<Handle>& out) const;
  void doors_within(const Vec3& world_point, double m, std::vector<Handle>& out) const;

 private:
  std::optional<Neighbour> as_neighbour(const EntityRecord& other, Handle parent,
                                        const EntityMotions::Ends& frame, Tick tick) const;
  bool own_within(const EntityRecord& record, const Vec3& world_point, double m) const;

  Needs needs_;
};

}  // namespace perigee::world
