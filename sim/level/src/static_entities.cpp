#include "perigee/level/static_entities.hpp"

namespace perigee::level {

std::vector<world::EntityType> static_types(const Level& level, world::TypeId first) {
  std::vector<world::EntityType> out;
  for (const Level::NamedMesh& each : level.meshes) {
    out.push_back({.id = static_cast<world::TypeId>(first + out.size()),
                   .name = each.name,
                   .kind = world::EntityKind::Static,
                   .shape = world::make_shape({}, each.mesh),
                   .size = world::SizeClass::Large});
  }
  return out;
}

void spawn_instances(world::World& world, const Level& level, world::TypeId first,
                     const world::Bounds& region, std::uint32_t spawner, std::uint32_t ordinal) {
  for (const Instance& each : level.instances) {
    const std::uint32_t own = ordinal++;
    if (!region.contains(each.pose.position)) continue;
    world.spawn({.id = world::make_entity_id(spawner, Tick{own >> 12}, own & 4095U),
                 .type = static_cast<world::TypeId>(first + each.mesh),
                 .local = each.pose});
  }
}

}  // namespace perigee::level
