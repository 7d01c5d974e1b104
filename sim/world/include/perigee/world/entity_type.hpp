/// One row of a game's type table: everything that both sides know about a kind of entity without
/// being told.
#pragma once

#include <algorithm>
#include <span>
#include <string_view>

#include "perigee/netcode/result.hpp"
#include "perigee/netcode/techniques.hpp"
#include "perigee/world/actor_step.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/helm.hpp"
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
  /// What is done about the latency of those who play one, unless they choose otherwise.
  Techniques techniques;
  Helm helm;  ///< bodies that players may steer
  /// Actors: what they aim at is looked up at most this far back (B5). More lets slower links hit
  /// what they see; less lets nobody be hit long after hiding. At most 45: histories end there.
  std::int32_t lag_limit_ticks = 30;
  Travel travel;  ///< timeline objects only; they rest at their local pose
};

/// Every number of the table is one that a tick can compute with; an error names the type and the
/// field.
Result<Ok> check(std::span<const EntityType> types);

/// Timeline objects near the eye are drawn at the tick of the own avatar, which stands there and
/// collides with them, and far ones at V: the share of the way from V to there, for one that rests
/// this far from the eye.
inline double present_share(const EntityType& type, double away_m) {
  constexpr double wholly_m = 10;
  constexpr double not_at_all_m = 20;
  const double gap_m = away_m - type.shape->reach_m() - length(type.travel.slide);
  return std::clamp((not_at_all_m - gap_m) / (not_at_all_m - wholly_m), 0.0, 1.0);
}

}  // namespace perigee::world
