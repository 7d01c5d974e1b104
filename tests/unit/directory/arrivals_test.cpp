// Entities that have not reached their region's new owner yet, and load pinned to another worker.
#include "live_regions.hpp"

namespace perigee::directory {
namespace {

TEST(LiveRegions, TellWhatHasNotArrivedYet) {
  ClusterModel model = two_without_balance();
  crowd(model, 100, {-4000, 0, 0}, 200, 1);
  pass(model, 3);
  EXPECT_EQ(model.core->views().at(RegionId{0}).entities, 100U);
  EXPECT_EQ(model.core->views().at(RegionId{0}).away, 0U);
  EXPECT_NEAR(model.core->views().at(RegionId{0}).cost_ms, 2, 1e-6);
  EXPECT_NEAR(model.core->imbalance(), 2, 1e-6);
  ASSERT_TRUE(model.core->move(model.now_us, RegionId{0}, "sim-1").ok());
  pass(model, 1);
  EXPECT_EQ(model.core->views().at(RegionId{0}).away, 100U);
  EXPECT_TRUE(model.core->views().at(RegionId{0}).changing);
  pass(model, 2);
  EXPECT_EQ(model.core->views().at(RegionId{0}).away, 0U);
  EXPECT_FALSE(model.core->views().at(RegionId{0}).changing);
}

/// A hundred entities in region 0; forty of them are pinned to sim-0.
ClusterModel with_forty_that_stay() {
  ClusterModel model = two_without_balance();
  crowd(model, 100, {-4000, 0, 0}, 200, 1);
  for (std::size_t i = 0; i < 40; ++i) model.things[i].stays = true;
  pass(model, 3);
  return model;
}

// Next to a border through a crowd, up to a third of a region may stay with its former owner.
TEST(LiveRegions, DoNotWaitForWhatStaysBesideABorder) {
  ClusterModel model = with_forty_that_stay();
  ASSERT_TRUE(model.core->move(model.now_us, RegionId{0}, "sim-1").ok());
  pass(model, 1);
  EXPECT_TRUE(model.core->views().at(RegionId{0}).changing) << "nothing of it has come yet";
  pass(model, 1);
  EXPECT_EQ(model.core->views().at(RegionId{0}).away, 40U);
  EXPECT_TRUE(model.core->views().at(RegionId{0}).changing) << "more may come";
  pass(model, 2);
  EXPECT_FALSE(model.core->views().at(RegionId{0}).changing) << "no more has come";
  ASSERT_TRUE(model.core->move(model.now_us, RegionId{0}, "sim-0").ok());
  pass(model, 1);
  EXPECT_TRUE(model.core->views().at(RegionId{0}).changing);
}

// Some of the pinned entities move, and migrate now and then.
TEST(LiveRegions, DoNotWaitForWhoWalksAboutBesideABorder) {
  ClusterModel model = with_forty_that_stay();
  ASSERT_TRUE(model.core->move(model.now_us, RegionId{0}, "sim-1").ok());
  pass(model, 2);
  for (const std::size_t comes : {0U, 1U}) {
    model.things[comes].stays = false;
    pass(model, 1);
  }
  EXPECT_EQ(model.core->views().at(RegionId{0}).away, 38U);
  EXPECT_FALSE(model.core->views().at(RegionId{0}).changing);
}

TEST(LiveRegions, SayHowUnevenTheyAreWithWhatStays) {
  ClusterModel model = two_without_balance();
  crowd(model, 100, {-4000, 0, 0}, 200, 1);
  crowd(model, 100, {4000, 0, 0}, 200, 2);
  for (std::size_t i = 100; i < 140; ++i) model.things[i].stays = true;
  pass(model, 3);
  EXPECT_NEAR(model.unevenness(), 1.4, 1e-6);
  EXPECT_NEAR(model.core->imbalance(), 1.4, 1e-6);
}

// Reports are of different moments: the load of a replica may be reported before that of its owner.
TEST(LiveRegions, DoNotFollowTheCopyOfWhatNobodySaysToHave) {
  ClusterModel model = two_without_balance();
  model.receive_all();
  WorkerReport report = model.report_of(0);
  report.load_ms = report.overhead_ms = report.copies_ms = 3;
  model.core->report(model.now_us, 0, report);
  model.core->advance(model.now_us += model_second);
  EXPECT_NEAR(model.core->imbalance(), 2, 1e-6);
}

/// A row along z: a plane across x cannot divide it.
void row(ClusterModel& model, int count, double x) {
  for (int i = 0; i < count; ++i) {
    model.things.push_back(
        {{x, 0, (i % 10 - 5) * cost_cell_m + 1}, 0.02, HandleBlock{1}, WorkerSlot{0}});
  }
}

// Workers at the limit of their load; then 0.8 ms of another worker's load is pinned to one of
// them.
TEST(LiveRegions, AreGivenAwayByWhoHasWhatStays) {
  ClusterModel model(settings_for(4, 4));
  for (std::size_t i = 0; i < 4; ++i) model.start(i);
  row(model, 100, -6000);
  row(model, 100, -2000);
  row(model, 75, 2000);
  row(model, 75, 6000);
  pass(model, 10);
  ASSERT_EQ(model.changes(), 0U);
  const WorkerSlot bearer = model.things[0].with;
  for (std::size_t i = 100; i < 140; ++i) {
    model.things[i].stays = true;
    model.things[i].with = bearer;
  }
  pass(model, 5);
  EXPECT_GT(model.changes(), 0U);
  EXPECT_LT(model.borne_ms(bearer.index()), 2.7);
}

}  // namespace
}  // namespace perigee::directory
