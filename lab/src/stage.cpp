#include "perigee/lab/stage.hpp"

#include "perigee/base/hash.hpp"

namespace perigee::lab {

std::uint32_t half_of(std::uint32_t players, std::uint32_t sharers) {
  return (players + 2 * sharers - 1) / (2 * sharers);
}

Stage::Stage(const skiff::Tunables& tunables, std::vector<world::EntityType> more)
    : Skiff(tunables) {
  const auto own = Skiff::types();
  types_.assign(own.begin(), own.end());
  StateHash hash;
  hash.add(Skiff::schema_hash());
  for (world::EntityType& type : more) {
    type.id = static_cast<world::TypeId>(types_.size());
    hash.add(type.kind).add(type.inertia).add(type.vehicle.thrust_m_s2);
    for (const world::Box& box : type.shape->boxes()) {
      for (const Vec3& v : {box.center, box.half}) hash.add(v.x).add(v.y).add(v.z);
    }
    if (const auto& mesh = type.shape->mesh()) hash.add(mesh->hash());
    if (const auto& field = type.shape->heightfield()) hash.add(field->hash());
    for (const world::HullPtr& hull : type.shape->hulls()) hash.add(hull->hash());
    types_.push_back(std::move(type));
  }
  schema_hash_ = hash.value();
}

}  // namespace perigee::lab
