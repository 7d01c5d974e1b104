/// The entities that an actor can touch in one tick, relative to its parent: recorded once,
/// replayed as often as needed.
#pragma once

#include <cstdint>
#include <span>

#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/world/ids.hpp"
#include "perigee/world/shape.hpp"

namespace perigee::world {

enum class NeighbourKind : std::uint8_t {
  Solid,    ///< an obstacle that can be stood on
  Actor,    ///< pushes softly and horizontally, is never ground
  Trigger,  ///< no obstacle; the step reports that the actor enters or leaves it
  last = Trigger,
};

struct EntityType;
NeighbourKind neighbour_kind(const EntityType& type);

/// All relative to the actor's parent, in its axes: `previous` to the parent's pose at the start of
/// the tick, the rest to the pose at its end. The parent's own hull has identity poses.
struct Neighbour {
  Handle id = no_entity;
  NeighbourKind kind = NeighbourKind::Solid;
  std::uint8_t cutout = 0;  ///< of a patch of cells: number of its cutout, from 1 on
  TypeId type = 0;
  const Shape* shape = nullptr;
  Pose previous, pose;
  Vec3 velocity;          ///< of its origin over the tick, m/s
  Vec3 angular_velocity;  ///< rad/s
};

/// With more entities than this around one actor the nearest are kept, and the number of the others
/// is reported.
inline constexpr std::size_t neighbours_max = 24;
using Neighbours = FixedVector<Neighbour, neighbours_max>;

/// From poses relative to the parent; velocities are those that lead from `previous` to `pose`.
Neighbour make_neighbour(Handle id, NeighbourKind kind, const Shape& shape, const Pose& previous,
                         const Pose& pose);
Neighbour make_neighbour(Handle id, const EntityType& type, const Pose& previous, const Pose& pose);
/// From world poses of the entity and of the parent at both ends of the tick.
Neighbour make_neighbour_in(const Pose& parent_previous, const Pose& parent_pose, Handle id,
                            const EntityType& type, const Pose& previous, const Pose& pose);
/// Bounds of its whole motion during the tick.
Bounds bounds_of(const Neighbour& neighbour);
/// Squared distance to a point. The parent's own hull counts as nearer than all others.
double gap_squared(const Neighbour& neighbour, Handle parent, const Vec3& point);

/// An actor as another one's neighbour, in the frame of the other one's parent.
struct ActorBeside {
  Handle id = no_entity;
  const EntityType* type = nullptr;
  Vec3 position, velocity;
  double gap_squared = 0;  ///< for the choice of the nearest
};
Neighbour make_neighbour(const ActorBeside& actor);
/// If not all fit, those nearest to the point are added. Of equally near ones, the lower handles
/// are added. Reorders `actors`.
void add_actors(Neighbours& neighbours, std::span<ActorBeside> actors, Handle parent,
                const Vec3& point);
/// Keeps the list sorted by id, as step_actor requires it. False if it is full.
bool insert_by_id(Neighbours& neighbours, const Neighbour& neighbour);

}  // namespace perigee::world
