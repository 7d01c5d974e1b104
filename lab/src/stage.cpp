#include "perigee/lab/stage.hpp"

#include "perigee/netcode/hash.hpp"

namespace perigee::lab {

std::uint32_t half_of(std::uint32_t players, std::uint32_t sharers) {
  return (players + 2 * sharers - 1) / (2 * sharers);
}

Stage::Stage(const skiff::Tunables& tunables, world::EntityType platform) : Skiff(tunables) {
  platform.id = platform_row;
  StateHash hash;
  hash.add(Skiff::schema_hash()).add(platform.kind).add(platform.inertia);
  for (const world::Box& box : platform.shape->boxes()) {
    for (const Vec3& v : {box.center, box.half}) hash.add(v.x).add(v.y).add(v.z);
  }
  schema_hash_ = hash.value();
  const auto own = Skiff::types();
  types_.assign(own.begin(), own.end());
  types_.push_back(std::move(platform));
}

}  // namespace perigee::lab
