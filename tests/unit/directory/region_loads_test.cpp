// Loads of regions and workers from reports, and when a change of a region is complete.
#include "perigee/directory/region_loads.hpp"

#include "components.hpp"

namespace perigee::directory {
namespace {

struct RegionLoadsOfReports : Components {
  /// Cost and entities in the middle of a region, at a worker that has adopted the map.
  void report_in(WorkerSlot worker, std::uint32_t id, double ms, std::uint32_t entities) {
    const CostCell cell = cost_cell_at((region(id).low + region(id).high) * 0.5);
    report(worker,
           {.entities = entities, .cells = {{cell, ms}}, .regions = {{RegionId{id}, entities}}});
  }
  const RegionView& view(std::uint32_t id) { return loads.views().at(RegionId{id}); }
  /// A second, with the balancing round at its end.
  void round() {
    pass(one_second);
    loads.look(now_us);
    loads.watch_arrivals(now_us);
  }
};

TEST_F(RegionLoadsOfReports, CountWhatIsNotAtTheOwnerAsAway) {
  three_owners();
  report_in(WorkerSlot{0}, 0, 6, 60);
  report_in(WorkerSlot{1}, 0, 2, 20);
  loads.look(now_us);
  EXPECT_EQ(view(0).cost_ms, 8);
  EXPECT_EQ(view(0).away_ms, 2);
  EXPECT_EQ(view(0).entities, 80U);
  EXPECT_EQ(view(0).away, 20U);
  EXPECT_EQ(view(1).cost_ms, 0);
}

TEST_F(RegionLoadsOfReports, ARegionIsChangingUntilItsOwnerKnowsItAndMostEntitiesHaveArrived) {
  three_owners();
  report_in(WorkerSlot{0}, 0, 10, 100);
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{1});
  EXPECT_FALSE(loads.acknowledged(region(0)));
  EXPECT_THAT(loads.not_acknowledged(), testing::ElementsAre(RegionId{0}));
  round();
  EXPECT_TRUE(view(0).changing);
  report(1, {});
  EXPECT_TRUE(loads.acknowledged(region(0)));
  round();
  EXPECT_TRUE(view(0).changing) << "all entities are away";
  EXPECT_THAT(loads.changing(), testing::ElementsAre(RegionId{0}));
  report_in(WorkerSlot{0}, 0, 1, 10);
  report_in(WorkerSlot{1}, 0, 9, 90);
  round();
  EXPECT_FALSE(view(0).changing);
}

TEST_F(RegionLoadsOfReports, AChangeIsCompleteOnceNoMoreEntitiesArrive) {
  three_owners();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{1});
  for (int s = 0; s < 2; ++s) {
    report_in(WorkerSlot{0}, 0, 5, 50);
    report_in(WorkerSlot{1}, 0, 5, 50);
    round();
    EXPECT_EQ(view(0).changing, s == 0) << "half of the entities stay where they are";
  }
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{2});
  report_in(WorkerSlot{1}, 0, 5, 50);
  report_in(WorkerSlot{2}, 0, 5, 50);
  round();
  EXPECT_TRUE(view(0).changing) << "this change is another one";
}

TEST_F(RegionLoadsOfReports, AChangeDoesNotLastForeverIfNothingArrives) {
  three_owners();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{1});
  for (int s = 1; s <= 10; ++s) {
    report_in(WorkerSlot{0}, 0, 10, 100);
    report(1, {});
    round();
    EXPECT_EQ(view(0).changing, s < 10) << s;
  }
}

TEST_F(RegionLoadsOfReports, PinnedLoadIsSharedOutByTheRegionsOwner) {
  three_owners();
  report_in(WorkerSlot{0}, 0, 6, 60);
  report_in(WorkerSlot{1}, 0, 2, 20);
  report_in(WorkerSlot{2}, 2, 4, 40);
  loads.look(now_us);
  const auto shares = loads.shares();
  ASSERT_EQ(shares.size(), 3U);
  EXPECT_TRUE(shares[0].pinned_ms.empty());
  EXPECT_THAT(shares[1].pinned_ms, testing::ElementsAre(testing::Pair(WorkerSlot{0}, 2)));
  EXPECT_DOUBLE_EQ(loads.imbalance(), 6 / 4.0) << "as borne: 6, 2 and 4";
}

TEST_F(RegionLoadsOfReports, ACopyCostsAtMostAsMuchAsTheOriginal) {
  three_owners();
  map.workers[0].standby = WorkerSlot{1};
  report_in(WorkerSlot{0}, 0, 6, 60);
  report(1, {.overhead_ms = 9, .copies_ms = 8});
  loads.look(now_us);
  const auto shares = loads.shares();
  EXPECT_EQ(shares[0].copy_share, 1);
  EXPECT_EQ(shares[1].overhead_ms, 3) << "9 without the 6 of the replica";
}

TEST_F(RegionLoadsOfReports, AWorkerIsInMotionWhileOneOfItsRegionsChanges) {
  three_owners();
  regions.hand_over(now_us, RegionId{0}, WorkerSlot{1});
  loads.look(now_us);
  const auto strains = loads.strains(true);
  ASSERT_EQ(strains.size(), 3U);
  EXPECT_FALSE(strains[0].in_motion);
  EXPECT_TRUE(strains[1].in_motion);
  EXPECT_FALSE(loads.strains(false)[1].in_motion) << "without balancing, no help is to come";
}

}  // namespace
}  // namespace perigee::directory
