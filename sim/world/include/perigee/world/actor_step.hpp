/// The one step of characters and jetpacks: the same function on worker, server rollback, client
/// prediction and replay. World-free and pure: same arguments, same bits, on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "perigee/base/actor_state.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/world/neighbour.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::world {

/// Tunables of one actor type.
struct ActorParams {
  double radius_m = 0.4;
  double height_m = 1.8;  ///< caps included
  double mass_kg = 80;    ///< for impulses on bodies and parent eligibility
  double walk_m_s = 5;
  double run_m_s = 10;
  double ground_acceleration_m_s2 = 40;  ///< towards the desired velocity, also braking
  double air_acceleration_m_s2 = 5;      ///< steering in free fall; only where there is gravity
  double jump_m_s = 5;
  std::uint8_t coyote_ticks = 6;  ///< a jump counts this long after the edge; more feels floaty
  std::uint8_t jump_ticks = 6;    ///< no ground snap this long after a jump
  double step_up_m = 0.35;
  double slope_cosine_min = 0.6427876;  ///< 50 degrees; steeper ground is a wall
  double snap_m = 0.35;                 ///< ground this far below a walker keeps it grounded
  double jetpack_m_s2 = 15;             ///< 0: it has none, and its button does nothing
  double jetpack_speed_max_m_s = 60;    ///< relative to the parent
  double damper_m_s2 = 15;              ///< braking along axes that are not steered
  double fall_speed_max_m_s = 60;
  double push_m_s = 2;  ///< actor against actor, at full overlap; more: larger corrections (0114)
};

/// Whether the parent's own acceleration affects its riders. Both sides read it from the type.
enum class Inertia : std::uint8_t {
  None,  ///< artificial gravity carries riders along: a = g, for any motion of the ship
  Full,  ///< open decks, rotors, free flight
};

/// Gravity of one parent, only inside a box in its frame; an empty box means none.
struct GravityBox {
  Vec3 acceleration;  ///< m/s^2, parent axes
  Bounds inside = nowhere;
};
inline GravityBox unbounded_gravity(const Vec3& acceleration) {
  constexpr double far_m = 1e9;
  return {acceleration, {{-far_m, -far_m, -far_m}, {far_m, far_m, far_m}}};
}

/// The parent's motion during the tick, in its axes at the tick's start: velocities at the start,
/// accelerations over exactly this tick.
struct FrameMotion {
  Vec3 acceleration;          ///< m/s^2 of the parent's origin
  Vec3 angular_velocity;      ///< rad/s
  Vec3 angular_acceleration;  ///< rad/s^2
  Inertia inertia = Inertia::None;
  GravityBox gravity;
};

/// An entity that the actor ran into or stands on, or another actor that it overlaps.
struct Contact {
  Handle id = no_entity;
  bool actor = false;
  std::uint16_t surface = 0;  ///< of the triangle that was touched first; 0: none
  Vec3f normal;               ///< from the entity towards the actor, parent axes
  Vec3f point;                ///< on the actor's surface, parent frame
  float closing_m_s = 0;      ///< relative speed along the normal; a solid entity has removed it
};
inline constexpr std::size_t contacts_max = 8;

/// A trigger that the actor's body was in, or passed through, in the step.
struct TriggerContact {
  Handle id = no_entity;
  TypeId type = 0;
  bool entered = false;
  bool left = false;
};
inline constexpr std::size_t triggers_max = 4;
/// Results of one step besides the new state.
struct StepReport {
  std::uint64_t contact_digest = 0;  ///< of the sorted ids touched and their coarse normals
  Handle ground = no_entity;
  std::uint16_t ground_surface = 0;                    ///< of the triangle under the feet; 0: none
  FixedVector<Contact, contacts_max> contacts;         ///< sorted by id, one per id
  FixedVector<TriggerContact, triggers_max> triggers;  ///< sorted by id
  Bounds swept;                  ///< all space that the step may have examined, parent frame
  Bounds body = nowhere;         ///< the actor's bounds when others could push it
  std::uint16_t candidates = 0;  ///< boxes near the path
  std::uint16_t triangles = 0;   ///< of meshes near the path, as many as were prepared
  std::uint16_t sweeps = 0;
  std::uint16_t overflows = 0;  ///< boxes, contacts or triggers beyond their limits; always counted
  /// A moving mesh has passed the actor's centre, because something else held the actor. It is
  /// behind the mesh now.
  bool crushed = false;
};

/// The actor's capsule, as an obstacle for others.
ShapePtr actor_shape(const ActorParams& params);
/// The volume in which an actor may need neighbours during one tick, in the frame of its state.
Bounds reach_of(const ActorParams& params, const ActorState& state);

/// Steps from tick input.tick to the next. `state` is relative to the parent: at the tick's start
/// before the call, at its end after it. `neighbours` is sorted by id; patches of cells among them
/// hold their index in `cutouts`.
StepReport step_actor(const ActorParams& params, const FrameMotion& frame,
                      std::span<const Neighbour> neighbours, const PlayerInput& input,
                      ActorState& state, std::span<const VoxelCutout> cutouts = {});

}  // namespace perigee::world
