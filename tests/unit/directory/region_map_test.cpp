// Entries of regions: owners, epochs and boxes after each kind of change.
#include "perigee/directory/region_map.hpp"

#include "components.hpp"

namespace perigee::directory {
namespace {

using ARegionMap = Components;

TEST_F(ARegionMap, TellsContentThatIsCreatedFromContentThatIsHandedOver) {
  three_owners();
  EXPECT_EQ(region(1).created_epoch, region(1).epoch) << "its owner creates it";
  const Epoch created = region(1).created_epoch;
  regions.hand_over(now_us, RegionId{1}, WorkerSlot{2});
  EXPECT_EQ(region(1).owner, WorkerSlot{2});
  EXPECT_GT(region(1).epoch, created);
  EXPECT_EQ(region(1).created_epoch, created);
  regions.take_away(RegionId{1});
  EXPECT_EQ(region(1).owner, std::nullopt);
  regions.assign(RegionId{1}, WorkerSlot{0});
  EXPECT_EQ(region(1).created_epoch, region(1).epoch);
  EXPECT_GT(region(1).created_epoch, created);
}

TEST_F(ARegionMap, CountsEachChangeInTheVersion) {
  three_owners();
  const std::uint64_t before = map.version;
  regions.hand_over(now_us, RegionId{1}, WorkerSlot{2});
  EXPECT_EQ(map.version, before + 1);
  EXPECT_EQ(regions.last_change(RegionId{1})->version, map.version);
  EXPECT_EQ(regions.last_change(RegionId{1})->moved_us, now_us);
  EXPECT_LT(regions.last_change(RegionId{0})->version, map.version);
}

TEST_F(ARegionMap, ASplitAndAMergeMoveNoEntitiesButASlideDoes) {
  three_owners();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{2});
  const Micros moved_us = now_us;
  pass(one_second);
  const RegionId part = *regions.make(
      now_us, {.kind = ChangeKind::Split, .region = RegionId{0}, .axis = Axis::Z, .at = 0});
  EXPECT_EQ(region(part).owner, WorkerSlot{2});
  EXPECT_EQ(region(part).created_epoch, Epoch{0}) << "its content exists already";
  EXPECT_EQ(region(part).low.z, 0);
  EXPECT_EQ(region(0).high.z, 0);
  EXPECT_EQ(regions.last_change(part)->moved_us, moved_us) << "as of the whole region";
  regions.make(now_us,
               {.kind = ChangeKind::Slide, .region = RegionId{0}, .axis = Axis::Z, .at = 4});
  EXPECT_EQ(region(0).high.z, 4 * cell_m);
  EXPECT_EQ(regions.last_change(RegionId{0})->moved_us, now_us);
  EXPECT_EQ(regions.last_change(part)->moved_us, now_us);
  regions.make(now_us, {.kind = ChangeKind::Merge, .region = RegionId{0}});
  EXPECT_EQ(regions.find(part), nullptr);
  EXPECT_EQ(regions.last_change(part), nullptr);
  EXPECT_EQ(region(0).high.z, test_world.high.z);
  EXPECT_THAT(regions.changes(), testing::ElementsAre(1, 1, 1, 0));
}

TEST_F(ARegionMap, OuterFacesAreTheWorldsAndNotTheGrids) {
  const WorldBox odd{{-7'900, -2'000, -7'990}, {7'999, 2'000, 8'000}};
  const auto entries = drawn(odd, *Space::sliced(cells_around(odd.low, odd.high), 2));
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].low, odd.low);
  EXPECT_EQ(entries[1].high, odd.high);
  EXPECT_EQ(entries[0].high.x, entries[1].low.x);
}

TEST_F(ARegionMap, PrefersAWorkerWithFewRegionsThatIsNotDraining) {
  three_owners();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{1});
  EXPECT_EQ(regions.least_loaded_worker(), WorkerSlot{0});
  members.set_draining(WorkerSlot{0}, true);
  EXPECT_EQ(regions.least_loaded_worker(), WorkerSlot{2});
  members.end_worker(WorkerSlot{2});
  EXPECT_EQ(regions.least_loaded_worker(), WorkerSlot{1});
  EXPECT_EQ(regions.owners().count(RegionId{2}), 0U) << "its owner is dead";
  members.end_worker(WorkerSlot{1});
  EXPECT_EQ(regions.least_loaded_worker(), WorkerSlot{0}) << "better than none";
}

}  // namespace
}  // namespace perigee::directory
