// Workers of a world with the maximum number of entities: Skiff, and PERIGEE_LADEN_THINGS resting
// crates. Nothing is driven: a game that visits each of its entities in each tick takes longer than
// a tick for that alone.
#include <cstdlib>

#include "drifting_crates.hpp"
#include "perigee/worker/process.hpp"

namespace perigee::bench {
namespace {

class LadenSkiff final : public skiff::Skiff {
 public:
  explicit LadenSkiff(std::uint32_t things) : things_(things) {}
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    Skiff::populate(world, region, spawner);
    test::spawn_store_of_crates(world, region, spawner, things_);
  }
  void drive(world::World&, Tick) const override {}

 private:
  std::uint32_t things_;
};

}  // namespace
}  // namespace perigee::bench

int main(int argc, char** argv) {
  const char* things = std::getenv("PERIGEE_LADEN_THINGS");
  const auto count = static_cast<std::uint32_t>(things == nullptr ? 0 : std::atoi(things));
  return perigee::worker::run_process(argc, argv, perigee::bench::LadenSkiff(count));
}
