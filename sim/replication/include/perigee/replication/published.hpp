/// An entity at one tick, as input to replication: filled in by the worker.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::replication {

struct Published {
  std::uint64_t identity = 0;  ///< EntityId: phase class and order
  Handle handle = no_entity;
  std::uint8_t type = 0;
  std::uint8_t respawns = 0;
  std::uint8_t goal = 0;      ///< scheduled objects: before the changes in the log
  bool streams = false;       ///< bodies and actors; others are replicated once, by events
  bool resting = false;       ///< has not moved for a while: refreshed once in the longest period
  Handle parent = no_entity;  ///< frame of `local` and `velocity`
  Pose local;
  Vec3 velocity;
  Vec3 position;        ///< world
  Quat world_rotation;  ///< for records in world cells
  Vec3 world_velocity;
  world::Bounds bounds;  ///< world; the distance of large entities is to their surface
  double visible_m = 0;  ///< from the surface
};

/// The frame of an entity's records, and its record in that frame. An entity with a parent is
/// encoded in the parent's frame at any precision.
GroupFrame frame_of(const Published& entity, Precision precision);
EntityRecord record_of(const Published& entity, const GroupFrame& frame);

/// From a point to the nearest point of the box; 0 inside.
double distance_to(const world::Bounds& bounds, const Vec3& point);

}  // namespace perigee::replication
