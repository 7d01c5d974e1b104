// The workers of benchmarks of balancing: Skiff, and a field of crates 7 km wide that drift and
// turn and never come to rest. A cloud of one kilometre could not be shared by eight workers,
// because regions are no narrower than that.
#include "drifting_crates.hpp"
#include "perigee/worker/process.hpp"

namespace perigee::bench {
namespace {

class WideSkiff final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    // 2,304 crates: shared by eight workers, the load must stay above a mean of 1 ms per tick,
    // below which nothing is balanced.
    test::spawn_field_of_crates(world, region, spawner, 48);
  }
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::bench::WideSkiff{});
}
