/// Crates that drift and turn and never come to rest: load for a worker, and hundreds of entities
/// that migrate at once when a region changes its owner. And a store of resting crates: as many
/// entities as a worker may have.
#pragma once

#include "perigee/skiff/skiff.hpp"

namespace perigee::test {

inline void spawn_drifting_crate(world::World& world, std::uint32_t spawner, std::uint32_t ordinal,
                                 const Vec3& at) {
  world.spawn({.id = world::make_entity_id(spawner, Tick{1}, ordinal),
               .type = skiff::crate_row,
               .local = {at, {}},
               .velocity = {0.05 * (ordinal % 3), 0.05 * (ordinal % 5), 0.05 * (ordinal % 7)},
               .angular_velocity = {0.3, 0.1 * (ordinal % 4), 0.2}});
}

inline bool lies_in(const world::Bounds& region, const Vec3& p) {
  return p.x >= region.low.x && p.x < region.high.x && p.y >= region.low.y && p.y < region.high.y &&
         p.z >= region.low.z && p.z < region.high.z;
}

/// Spawns the crates within the region of a cloud above each of Skiff's stations: `per_edge` in
/// either horizontal direction, 100 m apart.
inline void spawn_clouds_of_crates(const skiff::Skiff& game, world::World& world,
                                   const world::Bounds& region, std::uint32_t spawner, int per_edge,
                                   int layers) {
  constexpr double apart_m = 100, lowest_m = 150;
  const auto along = [&](int n) { return (n % per_edge - per_edge / 2.0) * apart_m; };
  std::uint32_t ordinal = 0;
  for (const skiff::Side side : {skiff::Side::Plus, skiff::Side::Minus}) {
    const Pose station = game.station_pose(side);
    for (int i = 0; i < per_edge * per_edge * layers; ++i, ++ordinal) {
      const double up_m = lowest_m + i / (per_edge * per_edge) * apart_m;
      const Vec3 at = transform(station, {along(i), up_m, along(i / per_edge)});
      if (lies_in(region, at)) spawn_drifting_crate(world, spawner, ordinal, at);
    }
  }
}

/// Skiff with those clouds.
class CloudedSkiff : public skiff::Skiff {
 public:
  CloudedSkiff(int per_edge, int layers) : per_edge_(per_edge), layers_(layers) {}
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    spawn_clouds_of_crates(*this, world, region, spawner, per_edge_, layers_);
  }

 private:
  int per_edge_, layers_;
};

/// Spawns the crates within the region of a field around the origin, 150 m apart.
inline void spawn_field_of_crates(world::World& world, const world::Bounds& region,
                                  std::uint32_t spawner, int per_edge) {
  constexpr double apart_m = 150, up_m = 300;
  const auto along = [&](int n) { return (n - (per_edge - 1) / 2.0) * apart_m; };
  for (int i = 0; i < per_edge * per_edge; ++i) {
    const Vec3 at{along(i % per_edge), up_m, along(i / per_edge)};
    if (lies_in(region, at)) spawn_drifting_crate(world, spawner, std::uint32_t(i), at);
  }
}

/// Spawns the crates within the region of a store of `count`, far from all players and 5 m apart.
inline constexpr Vec3 store_at{3'200, 1'500, 500};
inline void spawn_store_of_crates(world::World& world, const world::Bounds& region,
                                  std::uint32_t spawner, std::uint32_t count) {
  constexpr double apart_m = 5;
  constexpr std::uint32_t per_row = 200;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 at = store_at + Vec3{apart_m * (i % per_row), 0, apart_m * (i / per_row)};
    if (!lies_in(region, at)) continue;
    // Ordinals have 12 bits, so each tick gets four thousand.
    world.spawn({.id = world::make_entity_id(spawner, Tick{2 + i / 4'000}, i % 4'000),
                 .type = skiff::crate_row,
                 .local = {at, {}},
                 .rests = true});
  }
}

}  // namespace perigee::test
