// What a worker makes of the map's regions.
#include "fixture.hpp"

namespace perigee::worker {
namespace {

std::vector<world::EntityId> decks(const Bench& bench) {
  std::vector<world::EntityId> found;
  const world::World& world = bench.core->world();
  for (const Handle handle : world.in_order()) {
    if (world.find(handle)->type == test::deck_row) found.push_back(world.find(handle)->id);
  }
  return found;
}

TEST(ARegion, IsPopulatedOnceForEachOfItsBirths) {
  Bench bench;
  const auto next = [&](std::uint32_t epoch, std::uint32_t born) {
    ++bench.map.version;
    bench.map.regions[0].epoch = epoch;
    bench.map.regions[0].born = born;
    bench.core->on_map(bench.map, Bench::start);
    return decks(bench).size();
  };
  ASSERT_EQ(decks(bench).size(), 1U);
  EXPECT_EQ(next(3, 3), 1U) << "another map that says the same, as of a restarted directory";
  EXPECT_EQ(next(4, 3), 1U) << "its content comes from the former owner";
  EXPECT_EQ(next(9, 9), 2U) << "the former owner died, and all that it had";
  EXPECT_EQ(next(9, 9), 2U);
  EXPECT_NE(decks(bench)[0], decks(bench)[1]) << "what the first birth made is elsewhere, maybe";
}

TEST(ARegion, ThatWasSplitOffIsNotPopulated) {
  ClusterMap map = one_worker_map();
  map.regions[0].born = 0;
  const Bench bench({}, map);
  ASSERT_TRUE(bench.core->ready());
  EXPECT_TRUE(decks(bench).empty());
}

}  // namespace
}  // namespace perigee::worker
