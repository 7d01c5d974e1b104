#include "perigee/level/static_entities.hpp"

#include "perigee/world/game_fault.hpp"

namespace perigee::level {

Result<std::vector<world::EntityType>> static_types(const Level& level, world::TypeId first) {
  const std::size_t room = world::GameFault::no_type - std::size_t{first};
  if (level.shapes() > room) {
    return Error{"the level has " + std::to_string(level.shapes()) +
                 " meshes, hulls and heightfields, but a game's table of types has only " +
                 std::to_string(room) + " rows from type " + std::to_string(first) +
                 " on: make the level with --join, or with fewer hulls and heightfields"};
  }
  std::vector<world::EntityType> out;
  const auto add = [&](std::string_view name, world::ShapePtr shape) {
    out.push_back({.id = static_cast<world::TypeId>(first + out.size()),
                   .name = name,
                   .kind = world::EntityKind::Static,
                   .shape = std::move(shape),
                   .size = world::SizeClass::Large});
  };
  for (const auto& [name, mesh] : level.meshes) add(name, world::make_shape({}, mesh));
  for (const auto& [name, hull] : level.hulls) add(name, world::make_shape({}, nullptr, {hull}));
  for (const auto& [name, field] : level.heightfields) add(name, world::make_shape(field));
  return out;
}

void spawn_instances(world::World& world, const Level& level, world::TypeId first,
                     const world::Bounds& region, std::uint32_t spawner, std::uint32_t ordinal) {
  for (const Instance& each : level.instances) {
    const std::uint32_t own = ordinal++;
    if (!region.contains(each.pose.position)) continue;
    world.spawn({.id = world::make_entity_id(spawner, Tick{own >> 12}, own & 4095U),
                 .type = static_cast<world::TypeId>(first + each.shape),
                 .local = each.pose});
  }
}

}  // namespace perigee::level
