/// One row of a game's type table: the properties of a kind of entity that both sides know without
/// replication.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "perigee/base/interest.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/world/actor_step.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/game_state.hpp"
#include "perigee/world/ids.hpp"
#include "perigee/world/timeline.hpp"
#include "perigee/world/vehicle_control.hpp"

namespace perigee::world {

enum class EntityKind : std::uint8_t {
  Static,    ///< never moves
  Body,      ///< simulated in the rigid-body world
  Actor,     ///< stepped by `step_actor`
  Timeline,  ///< pose = f(tick, log), in its parent's frame
  last = Timeline,
};

/// Whether an entity's place at a tick follows from announcements alone.
constexpr bool is_fixture(EntityKind kind) {
  return kind == EntityKind::Static || kind == EntityKind::Timeline;
}

/// Size class: determines the distance up to which an entity is replicated.
enum class SizeClass : std::uint8_t { Small, Medium, Large };
constexpr double visible_m(SizeClass size) {
  if (size == SizeClass::Small) return near_lane_m;
  return size == SizeClass::Medium ? 1000 : interest_radius_m;
}

struct EntityType {
  TypeId id = 0;  ///< its index in the table
  std::string_view name;
  EntityKind kind = EntityKind::Static;
  ShapePtr shape;
  double mass_kg = 0;  ///< of bodies, and of scheduled objects that may be parents
  double friction = 0.6;
  SizeClass size = SizeClass::Small;
  /// Actors on and near it become its children: they move with it, and its gravity pulls them
  /// (parenting.hpp). A body or a scheduled object also needs the mass, and any parent the length,
  /// of ParentingParams.
  bool parent_eligible = false;
  /// A volume that stops nothing and is not rendered: GameModule::after_motion is told which actors
  /// enter and leave it. Statics and scheduled objects only.
  bool trigger = false;
  Inertia inertia = Inertia::None;
  /// Pulls the bodies inside the box, and of the actors inside it the children of this entity. So
  /// in a game with actors a type with gravity must be `parent_eligible`. Nothing pulls an actor
  /// beyond the box, so an actor that walks over the edge of a floor as large as the box floats.
  GravityBox gravity;
  double thrust_limit_m_s2 = thrust_limit_default_m_s2;
  /// Bodies: the part of its angular velocity that it loses in a second, while nothing touches or
  /// drives it. The world slows it, and clients reckon with it. A drive has to do so itself.
  double spin_damping_per_s = 0;
  ActorParams actor;  ///< actors only
  /// Default techniques of players with an actor of this type.
  Techniques techniques;
  VehicleControl vehicle;  ///< bodies that players may steer
  /// Actors: limit of lag compensation for their shots. A higher limit lets players on slower links
  /// hit targets where they see them. A lower limit prevents hits long after a target has hidden.
  /// At most 45: the histories are not longer.
  std::int32_t lag_limit_ticks = 30;
  Travel travel;  ///< scheduled objects only; they rest at their local pose
  /// The game's state of each entity of this type; null: none. Not for actors, which have
  /// GameModule::state_codec(). It must live as long as the table.
  const GameStateCodec* state = nullptr;
  /// The state of an entity of this type is the world's: all workers and all clients know it, at
  /// any distance. Statics only, one type of the table. See world_row().
  bool everywhere = false;
};

/// The row of an entity whose state is the world's. Nothing touches the entity, and no client draws
/// it. A game spawns one in the `populate` of the region that contains its place. `state` must live
/// as long as the table.
EntityType world_row(TypeId id, std::string_view name, const GameStateCodec& state);
/// That row of a table; null: there is none.
const EntityType* find_world_row(std::span<const EntityType> types);

/// Checks that every number of the table is usable in a tick. An error names the type and the
/// field.
Result<Ok> check(std::span<const EntityType> types);
/// Ends the program with that error, for code that uses a table which nothing has checked.
void assert_usable(std::span<const EntityType> types);

/// Scheduled objects near the eye are rendered at the own avatar's tick, because the avatar
/// collides with them there. Far ones are rendered at V. This is the share of the way from V to the
/// own tick, for an object that rests this far from the eye.
inline double present_share(const EntityType& type, double away_m) {
  constexpr double wholly_m = 10;
  constexpr double not_at_all_m = 20;
  const double gap_m = away_m - type.shape->reach_m() - length(type.travel.slide);
  return std::clamp((not_at_all_m - gap_m) / (not_at_all_m - wholly_m), 0.0, 1.0);
}

}  // namespace perigee::world
