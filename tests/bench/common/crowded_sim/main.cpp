// The workers of benchmarks: Skiff, and above each station a cloud of crates that drift and turn
// and never rest, so that a tick costs what one of a full world does.
#include <cstdlib>

#include "drifting_crates.hpp"
#include "process.hpp"

namespace perigee::bench {
namespace {

constexpr int crates_per_edge = 9;  // and with 8 layers three workers' ticks take 3 ms

/// A suite that needs a heavier world says so to the workers that it starts.
int layers() {
  const char* said = std::getenv("PERIGEE_BENCH_LAYERS");
  return said != nullptr ? std::atoi(said) : 8;
}

class CrowdedSkiff final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    test::spawn_drifting_crates(*this, world, region, spawner, crates_per_edge, layers());
  }
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::bench::CrowdedSkiff{});
}
