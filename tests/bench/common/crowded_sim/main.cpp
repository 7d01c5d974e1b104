// The workers of benchmarks: Skiff, and above each station a cloud of crates that drift and turn
// and never rest, so that a tick costs what one of a full world does.
#include <cstdlib>

#include "perigee/skiff/skiff.hpp"
#include "process.hpp"

namespace perigee::bench {
namespace {

// Above each of two stations. Three workers' ticks take 4 ms.
constexpr int crates_per_edge = 9;

/// A suite that needs a heavier world says so to the workers that it starts.
int layers() {
  const char* said = std::getenv("PERIGEE_BENCH_LAYERS");
  return said != nullptr ? std::atoi(said) : 8;
}

constexpr double apart_m = 100, lowest_m = 150;

bool owns(const world::Bounds& region, const Vec3& p) {
  return p.x >= region.low.x && p.x < region.high.x && p.y >= region.low.y && p.y < region.high.y &&
         p.z >= region.low.z && p.z < region.high.z;
}

class CrowdedSkiff final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    std::uint32_t ordinal = 0;
    for (const skiff::Side side : {skiff::Side::Plus, skiff::Side::Minus}) {
      const Pose station = station_pose(side);
      for (int i = 0; i < crates_per_edge * crates_per_edge * layers(); ++i, ++ordinal) {
        const auto along = [&](int n) {
          return (n % crates_per_edge - crates_per_edge / 2.0) * apart_m;
        };
        const Vec3 local{along(i), lowest_m + i / (crates_per_edge * crates_per_edge) * apart_m,
                         along(i / crates_per_edge)};
        const Vec3 at = transform(station, local);
        if (!owns(region, at)) continue;
        world.spawn({.id = world::make_entity_id(spawner, Tick{1}, ordinal),
                     .type = skiff::crate_row,
                     .local = {at, {}},
                     .velocity = {0.05 * (i % 3), 0.05 * (i % 5), 0.05 * (i % 7)},
                     .angular_velocity = {0.3, 0.1 * (i % 4), 0.2}});
      }
    }
  }
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::bench::CrowdedSkiff{});
}
