// The workers of benchmarks of balancing: Skiff, and a field of crates 7 km wide that drift and
// turn and never rest. A cloud of a kilometre cannot be shared by eight: regions are no narrower.
#include "drifting_crates.hpp"
#include "process.hpp"

namespace perigee::bench {
namespace {

class WideSkiff final : public skiff::Skiff {
 public:
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    // 2,304. Below a mean of 1 ms a tick nothing is balanced, and eight share what two had.
    test::spawn_field_of_crates(world, region, spawner, 48);
  }
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  return perigee::worker::run_process(argc, argv, perigee::bench::WideSkiff{});
}
