/// What an actor can touch in one tick, seen from its parent: recorded once, replayed as often as
/// needed.
#pragma once

#include <cstdint>
#include <span>

#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::world {

enum class NeighbourKind : std::uint8_t {
  Solid,  ///< stands in the way and can be stood on
  Actor,  ///< pushes softly and horizontally, is never ground
};

/// All relative to the actor's parent, in its axes: `previous` to the parent's pose at the start of
/// the tick, the rest to the pose at its end. The parent's own hull has identity poses.
struct Neighbour {
  Handle id = no_entity;
  NeighbourKind kind = NeighbourKind::Solid;
  std::uint8_t cutout = 0;  ///< of a patch of cells: which of the cutouts, from 1 on
  const Shape* shape = nullptr;
  Pose previous, pose;
  Vec3 velocity;          ///< of its origin over the tick, m/s
  Vec3 angular_velocity;  ///< rad/s
};

/// More things than this around one actor are a heap: the nearest count, the rest is reported.
inline constexpr std::size_t neighbours_max = 24;
using Neighbours = FixedVector<Neighbour, neighbours_max>;

/// From poses relative to the parent; velocities are those that lead from one to the other.
Neighbour make_neighbour(Handle id, NeighbourKind kind, const Shape& shape, const Pose& previous,
                         const Pose& pose);
/// From world poses of the thing and of the parent at both ends of the tick.
Neighbour make_neighbour_in(const Pose& parent_previous, const Pose& parent_pose, Handle id,
                            NeighbourKind kind, const Shape& shape, const Pose& previous,
                            const Pose& pose);
/// Everything that it takes up during the tick.
Bounds bounds_of(const Neighbour& neighbour);
/// How far it is from a point, squared; the parent's own hull is nearer than anything.
double gap_squared(const Neighbour& neighbour, Handle parent, const Vec3& point);

/// An actor as another one's neighbour, in that one's parent's frame.
struct ActorBeside {
  Handle id = no_entity;
  const Shape* shape = nullptr;
  Vec3 position, velocity;
  double gap_squared = 0;  ///< while the nearest are chosen
};
Neighbour make_neighbour(const ActorBeside& actor);
/// If all are more than fit, the nearest to the point stay; equally near: the lower handles.
/// Reorders `actors`.
void add_actors(Neighbours& neighbours, std::span<ActorBeside> actors, Handle parent,
                const Vec3& point);
/// Keeps the list sorted by id, as step_actor wants it. False if it is full.
bool insert_by_id(Neighbours& neighbours, const Neighbour& neighbour);

}  // namespace perigee::world
