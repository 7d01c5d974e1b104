/// Where entities are and how they move, at a tick of the history.
#pragma once

#include <optional>

#include "perigee/world/entity_table.hpp"
#include "perigee/world/neighbour.hpp"

namespace perigee::world {

class EntityMotions {
 public:
  struct Ends {
    Pose before, after;  ///< at both ends of a tick, world
  };

  EntityMotions(const EntityTable& entities, const Tick& now) : entities_(entities), now_(now) {}

  /// The region's frame (no_entity) rests at the origin.
  std::optional<Motion> motion(Handle handle, Tick tick) const;
  std::optional<Pose> pose(Handle handle, Tick tick) const;
  std::optional<Ends> ends(Handle handle, Tick tick) const;
  /// Frame of the tick from `tick` to tick + 1.
  std::optional<FrameMotion> frame(Handle parent, Tick tick) const;

  std::optional<Motion> motion(const EntityRecord& record, Tick tick) const;
  /// Null: not in the history.
  const Motion* body_motion(const EntityRecord& body, Tick tick) const;
  std::optional<Motion> actor_motion(const EntityRecord& actor, Tick tick) const;
  std::optional<Ends> ends(const EntityRecord& record, Tick tick) const;
  /// Bounds of its whole motion during the tick, world.
  std::optional<Bounds> bounds_over(const EntityRecord& record, Tick tick) const;
  /// The actor relative to `parent` at the start of the tick.
  std::optional<ActorBeside> actor_beside(const EntityRecord& actor, Handle parent,
                                          Tick tick) const;

  /// Whether no parent ever moves it: the region's frame or a static entity.
  bool parent_rests(const EntityRecord& child) const;
  /// Whether its path is endless and not on a moving carrier: then no event changes the path.
  bool goes_rounds(const EntityRecord& record) const;
  /// Bounds of all poses of a scheduled object's path, world.
  Bounds path_bounds(const EntityRecord& record) const;

 private:
  std::optional<Motion> carrier_motion(Handle handle, Tick tick) const;

  const EntityTable& entities_;
  const Tick& now_;
};

}  // namespace perigee::world
