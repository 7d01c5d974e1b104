/// An entity at one tick, as input to replication: filled in by the worker.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::replication {

struct Published {
  std::uint64_t identity = 0;  ///< EntityId: phase class and order
  Handle handle = no_entity;
  std::uint8_t type = 0;
  std::uint8_t respawns = 0;
  std::uint8_t goal = 0;  ///< scheduled objects: before the changes in the log
  bool streams = false;   ///< bodies and actors; others are replicated once, by events
  bool resting = false;   ///< has not moved for a while: refreshed once in the longest period
  TrackTurn turn = TrackTurn::Full;
  bool jointed = false;  ///< gaps at its joints show more than its place: one class finer
  double radius_m = 0;   ///< of its surface around its origin
  double spin_damping_per_s = 0;
  Handle parent = no_entity;  ///< frame of the next three
  Pose local;
  Vec3 velocity;
  Vec3 angular_velocity;
  Vec3 position;        ///< world
  Quat world_rotation;  ///< for records in world cells
  Vec3 world_velocity;
  Vec3 world_angular_velocity;
  world::Bounds bounds;  ///< world; the distance of large entities is to their surface
  double visible_m = 0;  ///< from the surface
};

/// An entity's motion at an earlier tick, in the frame of its present parent or in the world.
struct PastMotion {
  Vec3 position, velocity;
  Quat rotation;
  Vec3 angular_velocity;
};

/// The class of tracks that an observer at that ring needs.
constexpr Precision wanted_in(std::uint32_t ring, bool jointed) {
  return static_cast<Precision>(ring - (jointed && ring > 0 ? 1U : 0U));
}

/// The frame of an entity's records. An entity with a parent is sent in the parent's frame.
GroupFrame frame_of(const Published& entity, Precision precision);
/// Its parent alone, without the cell.
Handle frame_parent_of(const Published& entity, Precision precision);
/// The entity's motion at `now` as a straight track; its position is that in the world or in the
/// frame of the parent, without the origin of a cell.
Track straight_track(const Published& entity, const GroupFrame& frame, Tick now);

/// From a point to the nearest point of the box; 0 inside.
double distance_to(const world::Bounds& bounds, const Vec3& point);

}  // namespace perigee::replication
