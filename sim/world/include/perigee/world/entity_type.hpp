/// One row of a game's type table: everything that both sides know about a kind of entity without
/// being told.
#pragma once

#include <string_view>

#include "perigee/world/actor_step.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/ids.hpp"
#include "perigee/world/timeline.hpp"

namespace perigee::world {

enum class EntityKind : std::uint8_t {
  Static,    ///< never moves
  Body,      ///< lives in the rigid-body world
  Actor,     ///< stepped by step_actor
  Timeline,  ///< pose = f(tick, log), in its parent's frame
};

/// How far away it is worth hearing of.
enum class SizeClass : std::uint8_t { Small, Medium, Large };
constexpr double visible_m(SizeClass size) {
  return size == SizeClass::Small ? 300 : size == SizeClass::Medium ? 1000 : 3000;
}

struct EntityType {
  TypeId id = 0;  ///< its index in the table
  std::string_view name;
  EntityKind kind = EntityKind::Static;
  ShapePtr shape;
  double mass_kg = 0;  ///< of bodies, and of timeline objects that may be parents
  double friction = 0.6;
  SizeClass size = SizeClass::Small;
  bool parent_eligible = false;
  Inertia inertia = Inertia::None;
  GravityBox gravity;  ///< for what is inside it
  double thrust_limit_m_s2 = thrust_limit_default_m_s2;
  ActorParams actor;  ///< actors only
  Travel travel;      ///< timeline objects only; they rest at their local pose
};

}  // namespace perigee::world
