#include "perigee/world/entity_type.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "perigee/base/assert.hpp"
#include "perigee/base/track.hpp"
#include "perigee/world/game_fault.hpp"

namespace perigee::world {
namespace {

constexpr double property_max = 1e12;  // larger than any mass, force or time of a game

struct Field {
  std::string_view name;
  double value = 0;
  double low = -property_max;
  double high = property_max;
};

/// The first number that is out of its range, if any.
template <std::size_t N>
std::string_view first_wrong(const Field (&fields)[N]) {
  for (const Field& field : fields) {
    if (!(field.value >= field.low && field.value <= field.high)) return field.name;
  }
  return {};
}

std::string_view wrong_in(const ActorParams& a) {
  constexpr double tiny = 1e-3;
  const Field fields[] = {{"actor.radius_m", a.radius_m, tiny},
                          {"actor.height_m", a.height_m, 2 * a.radius_m},
                          {"actor.mass_kg", a.mass_kg, tiny},
                          {"actor.walk_m_s", a.walk_m_s, 0, speed_max_m_s},
                          {"actor.run_m_s", a.run_m_s, 0, speed_max_m_s},
                          {"actor.ground_acceleration_m_s2", a.ground_acceleration_m_s2, 0},
                          {"actor.air_acceleration_m_s2", a.air_acceleration_m_s2, 0},
                          {"actor.jump_m_s", a.jump_m_s, 0, speed_max_m_s},
                          {"actor.step_up_m", a.step_up_m, 0},
                          {"actor.slope_cosine_min", a.slope_cosine_min, -1, 1},
                          {"actor.snap_m", a.snap_m, 0},
                          {"actor.jetpack_m_s2", a.jetpack_m_s2, 0},
                          {"actor.jetpack_speed_max_m_s", a.jetpack_speed_max_m_s, 0},
                          {"actor.damper_m_s2", a.damper_m_s2, 0},
                          {"actor.fall_speed_max_m_s", a.fall_speed_max_m_s, 0},
                          {"actor.push_m_s", a.push_m_s}};
  return first_wrong(fields);
}

std::string_view wrong_in(const Travel& t) {
  if (!is_place(t.slide)) return "travel.slide";
  if (!is_place(t.hinge)) return "travel.hinge";
  if (!within(t.axis, 1.01)) return "travel.axis";
  const Field fields[] = {{"travel.turn_rad", t.turn_rad},
                          {"travel.ticks", static_cast<double>(t.ticks), 1}};
  return first_wrong(fields);
}

std::string_view wrong_in(const VehicleControl& h) {
  if (!is_place(h.seat)) return "vehicle.seat";
  const Field fields[] = {{"vehicle.thrust_m_s2", h.thrust_m_s2, 0},
                          {"vehicle.slew_m_s3", h.slew_m_s3, 0},
                          {"vehicle.speed_max_m_s", h.speed_max_m_s, 0, speed_max_m_s},
                          {"vehicle.yaw_rad_s", h.yaw_rad_s, -spin_max_rad_s, spin_max_rad_s},
                          {"vehicle.yaw_rad_s2", h.yaw_rad_s2},
                          {"vehicle.upright_per_s", h.upright_per_s, 0}};
  return first_wrong(fields);
}

std::string_view wrong_in(const EntityType& type, std::size_t place) {
  if (type.id != place) return "id: it must be the type's place in the table";
  if (type.shape == nullptr) return "shape";
  const Bounds& bounds = type.shape->bounds();
  if (!is_place(bounds.low) || !is_place(bounds.high)) return "shape";
  if (type.shape->voxels() && type.kind != EntityKind::Static)
    return "kind: voxel cells must be static";
  const bool of_boxes = !type.shape->voxels() && !type.shape->has_triangles();
  if (type.trigger && (!is_fixture(type.kind) || type.parent_eligible || !of_boxes)) {
    return "trigger: only statics and scheduled objects are triggers, of boxes, and no parents";
  }
  if (type.shape->is_level() && type.kind != EntityKind::Static &&
      type.kind != EntityKind::Timeline)
    return "kind: a mesh or a heightfield must be static or a scheduled object; bodies and actors "
           "are "
           "made of boxes and hulls";
  if (type.state != nullptr && type.kind == EntityKind::Actor)
    return "state: actors have that of GameModule::state_codec";
  if (type.everywhere &&
      (type.kind != EntityKind::Static || type.state == nullptr || type.parent_eligible)) {
    return "everywhere: only a static with a state, and no parent, is the world's";
  }
  if (!within(type.gravity.acceleration, property_max)) return "gravity.acceleration";
  const Field fields[] = {
      {"mass_kg", type.mass_kg, type.kind == EntityKind::Body ? 1e-6 : 0},
      {"friction", type.friction, 0},
      {"thrust_limit_m_s2", type.thrust_limit_m_s2, 0},
      {"spin_damping_per_s", type.spin_damping_per_s, 0, spin_damping_max_per_s},
      {"lag_limit_ticks", static_cast<double>(type.lag_limit_ticks), 0, 45}};
  if (const auto wrong = first_wrong(fields); !wrong.empty()) return wrong;
  if (const auto wrong = wrong_in(type.vehicle); !wrong.empty()) return wrong;
  if (type.kind == EntityKind::Timeline) return wrong_in(type.travel);
  return type.kind == EntityKind::Actor ? wrong_in(type.actor) : std::string_view();
}

/// Gravity of a type that is no parent pulls bodies alone.
const EntityType* find_gravity_without_actors(std::span<const EntityType> types) {
  const auto is_actor = [](const EntityType& type) { return type.kind == EntityKind::Actor; };
  if (std::none_of(types.begin(), types.end(), is_actor)) return nullptr;
  const auto found = std::find_if(types.begin(), types.end(), [](const EntityType& type) {
    return type.gravity.acceleration != Vec3{} && !type.parent_eligible;
  });
  return found == types.end() ? nullptr : &*found;
}

std::string called(const EntityType& type) {
  return "type " + std::to_string(type.id) + " '" + std::string(type.name) + "'";
}

}  // namespace

EntityType world_row(TypeId id, std::string_view name, const GameStateCodec& state) {
  return {.id = id,
          .name = name,
          .kind = EntityKind::Static,
          .shape = make_shape({{.half = {0.0005, 0.0005, 0.0005}}}),
          .trigger = true,
          .state = &state,
          .everywhere = true};
}

const EntityType* find_world_row(std::span<const EntityType> types) {
  const auto found = std::find_if(types.begin(), types.end(),
                                  [](const EntityType& type) { return type.everywhere; });
  return found == types.end() ? nullptr : &*found;
}

Result<Ok> check(std::span<const EntityType> types) {
  if (types.size() > GameFault::no_type) return Error{"a game must have at most 255 types"};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::string_view wrong = wrong_in(types[i], i);
    if (!wrong.empty()) {
      return Error{"type " + std::to_string(i) + " '" + std::string(types[i].name) +
                   "' of the game's table has an invalid " + std::string(wrong)};
    }
    if (types[i].everywhere && find_world_row(types) != &types[i]) {
      return Error{called(types[i]) +
                   " is the second one with `everywhere`: the world has one state"};
    }
    if (const auto fits = perigee::check(types[i].techniques); !fits) return fits.error();
  }
  if (const EntityType* type = find_gravity_without_actors(types); type != nullptr) {
    return Error{called(*type) +
                 " of the game's table has gravity and is no parent, so it would pull bodies, but "
                 "no actors: set its parent_eligible = true"};
  }
  return Ok{};
}

void assert_usable(std::span<const EntityType> types) {
  const auto usable = check(types);
  PERIGEE_ASSERT(usable.ok(), usable.error().message.c_str());
}

}  // namespace perigee::world
