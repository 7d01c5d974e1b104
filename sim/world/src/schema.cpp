#include "perigee/world/schema.hpp"

#include <string>

#include "perigee/base/assert.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/voxels.hpp"

namespace perigee::world {
namespace {

// A game hashes its table before a worker or a client checks it, and may hash a part of it.
void assert_shape(const EntityType& type) {
  if (type.shape != nullptr) return;
  const std::string text = "type " + std::to_string(type.id) + " '" + std::string(type.name) +
                           "' of the game's table has an invalid shape";
  PERIGEE_ASSERT(type.shape != nullptr, text.c_str());
}

}  // namespace

std::uint64_t agreed_schema(const GameModule& game) {
  const std::uint64_t inputs = game.input_layout().hash();
  const std::uint64_t aimed = game.buttons_aimed();
  const std::uint64_t own = inputs == 0 ? game.schema_hash() : mix64(game.schema_hash(), inputs);
  return aimed == buttons_aimed ? own : mix64(own, aimed);
}

void add_types(StateHash& hash, std::span<const EntityType> types) {
  hash.add(step_version);
  const auto add = [&](const Vec3& v) { hash.add(v.x).add(v.y).add(v.z); };
  for (const EntityType& type : types) {
    assert_shape(type);
    for (const char c : type.name) hash.add(c);
    hash.add(type.id).add(type.kind).add(type.inertia).add(type.size).add(type.mass_kg);
    hash.add(type.spin_damping_per_s).add(type.trigger);
    hash.add(type.state != nullptr ? type.state->schema_hash : std::uint64_t{0});
    hash.add(type.everywhere);
    add(type.gravity.acceleration);
    add(type.gravity.inside.low);
    add(type.gravity.inside.high);
    for (const Box& box : type.shape->boxes()) {
      add(box.center);
      add(box.half);
      const Quat& turn = box.rotation;
      hash.add(box.radius).add(turn.x).add(turn.y).add(turn.z).add(turn.w);
    }
    if (const auto& mesh = type.shape->mesh()) hash.add(mesh->hash());
    if (const auto& field = type.shape->heightfield()) hash.add(field->hash());
    for (const HullPtr& hull : type.shape->hulls()) hash.add(hull->hash());
    if (const auto& cells = type.shape->voxels()) {
      hash.add(cells->cell_m).add(cells->size.x).add(cells->size.y).add(cells->size.z);
    }
    const VehicleControl& vehicle = type.vehicle;
    hash.add(vehicle.thrust_m_s2)
        .add(vehicle.slew_m_s3)
        .add(vehicle.speed_max_m_s)
        .add(vehicle.yaw_rad_s);
    hash.add(vehicle.yaw_rad_s2).add(vehicle.upright_per_s);
    add(vehicle.seat);
    const Travel& way = type.travel;
    hash.add(way.ticks).add(way.turn_rad).add(way.endless);
    add(way.slide);
    add(way.axis);
    add(way.hinge);
    const ActorParams& a = type.actor;
    hash.add(a.radius_m).add(a.height_m).add(a.walk_m_s).add(a.run_m_s).add(a.jump_m_s);
    hash.add(a.ground_acceleration_m_s2).add(a.air_acceleration_m_s2).add(a.coyote_ticks);
    hash.add(a.jump_ticks).add(a.step_up_m).add(a.slope_cosine_min).add(a.snap_m);
    hash.add(a.jetpack_m_s2).add(a.jetpack_speed_max_m_s).add(a.damper_m_s2);
    hash.add(a.fall_speed_max_m_s).add(a.push_m_s);
  }
}

}  // namespace perigee::world
