// The workers of benchmarks: Skiff, and above each station a cloud of crates that drift and turn
// and never rest, so that a tick costs what one of a full world does.
#include "drifting_crates.hpp"
#include "process.hpp"

namespace perigee::bench {
namespace {

class CrowdedSkiff final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    // 1,296: three workers' ticks take 3 to 4 ms.
    test::spawn_clouds_of_crates(*this, world, region, spawner, 9, 8);
  }
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::bench::CrowdedSkiff{});
}
