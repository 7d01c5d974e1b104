// Regions that change their owners by an operator's order.
#include <gmock/gmock.h>

#include "live_regions.hpp"

namespace perigee::directory {
namespace {

TEST(LiveRegions, AreLeftAloneWhenAnOperatorSaysSo) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  crowd(model, 500, {-3000, 0, 0}, 500, 1);
  model.core->set_balance(false);
  pass(model, 10);
  EXPECT_EQ(model.changes(), 0U);
  model.restart_directory();
  EXPECT_FALSE(model.core->balances()) << "it remembers";
  pass(model, 10);
  EXPECT_EQ(model.changes(), 0U);
  model.core->set_balance(true);
  pass(model, 10);
  EXPECT_LE(model.unevenness(), 1.25);
}

TEST(LiveRegions, LeaveADrainingWorkerAndComeBackWhenItIsUndrained) {
  ClusterModel model(settings_for(3, 3));
  for (std::size_t i = 0; i < 3; ++i) model.start(i);
  crowd(model, 1500, {0, 0, 0}, 3000, 1);
  pass(model, 20);
  ASSERT_TRUE(model.core->drain(model.now_us, "sim-1").ok());
  EXPECT_EQ(model.regions_of(1), 0U) << "at once";
  EXPECT_TRUE(model.core->map().workers[1].draining);
  pass(model, 3);
  EXPECT_EQ(model.core->report_of(WorkerSlot{1})->entities, 0U);
  model.restart_directory();
  EXPECT_TRUE(model.core->map().workers[1].draining);
  pass(model, 20);
  EXPECT_EQ(model.regions_of(1), 0U);
  EXPECT_LE(model.unevenness(), 1.25);
  ASSERT_TRUE(model.core->undrain("sim-1").ok());
  pass(model, 10);
  EXPECT_GT(model.regions_of(1), 0U);
  EXPECT_LE(model.unevenness(), 1.25);
}

TEST(LiveRegions, AreDrainedAlsoWithoutBalance) {
  ClusterModel model = two_without_balance();
  crowd(model, 100, {0, 0, 0}, 3000, 1);
  pass(model, 3);
  model.workers[1].leaving = true;  // as a worker reports after SIGTERM
  pass(model, 1);
  EXPECT_EQ(model.regions_of(1), 0U);
  pass(model, 2);
  EXPECT_EQ(model.borne_ms(1), 0);
  model.sign_off(1);
  pass(model, 3);
  EXPECT_EQ(model.core->deaths(), 0U);
  for (const RegionEntry& region : model.core->map().regions) {
    EXPECT_EQ(region.owner, WorkerSlot{0});
    EXPECT_EQ(region.created_epoch, Epoch{1}) << "what was there is there";
  }
  model.start(1);
  EXPECT_FALSE(model.core->map().workers[1].draining) << "another incarnation";
}

TEST(LiveRegions, StayWithTheLastWorkerThatStays) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  pass(model, 3);
  ASSERT_TRUE(model.core->drain(model.now_us, "sim-0").ok());
  const auto refused = model.core->drain(model.now_us, "sim-1");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message, testing::HasSubstr("start one first"));
  model.workers[1].leaving = true;
  pass(model, 3);
  EXPECT_FALSE(model.core->map().workers[1].draining);
  EXPECT_EQ(model.regions_of(1), 2U);
}

TEST(LiveRegions, AreCutJoinedAndMovedByOperators) {
  ClusterModel model = two_without_balance();
  crowd(model, 100, {-2000, 0, 3000}, 800, 1);
  pass(model, 2);
  const auto part = model.core->split(model.now_us, RegionId{0}, Axis::Z, 900.0);
  ASSERT_TRUE(part.ok());
  EXPECT_EQ(model.core->map().region(RegionId{0})->high.z, 1000) << "the nearest plane";
  EXPECT_EQ(model.core->map().region(*part)->low.z, 1000);
  EXPECT_EQ(model.core->map().region(*part)->owner, WorkerSlot{0});
  EXPECT_EQ(model.core->map().region(*part)->created_epoch, Epoch{0});
  expect_whole(model.core->map());
  EXPECT_FALSE(model.core->move(model.now_us, *part, "sim-1").ok()) << "too soon";
  pass(model, 1);
  const Epoch epoch = model.core->map().region(*part)->epoch;
  ASSERT_TRUE(model.core->move(model.now_us, *part, "sim-1").ok());
  EXPECT_EQ(model.core->map().region(*part)->owner, WorkerSlot{1});
  EXPECT_GT(model.core->map().region(*part)->epoch, epoch);
  EXPECT_EQ(model.core->map().region(*part)->created_epoch, Epoch{0});
  pass(model, 3);
  const auto apart = model.core->merge(model.now_us, RegionId{0});
  ASSERT_FALSE(apart.ok());
  EXPECT_THAT(apart.error().message, testing::HasSubstr("first: move 2 sim-0"));
  ASSERT_TRUE(model.core->move(model.now_us, *part, "sim-0").ok());
  pass(model, 3);
  ASSERT_TRUE(model.core->merge(model.now_us, RegionId{0}).ok());
  expect_whole(model.core->map());
  EXPECT_EQ(model.core->map().region(*part), nullptr);
  pass(model, 1);
  const auto again = model.core->split(model.now_us, RegionId{0}, std::nullopt, std::nullopt);
  ASSERT_TRUE(again.ok());
  EXPECT_GT(*again, *part) << "no id comes again";
  EXPECT_NEAR(model.core->map().region(*again)->low.z, 3000, 500) << "half of the load each";
}

TEST(LiveRegions, AreNotChangedByOrdersThatCannotBe) {
  ClusterModel model(settings_for(2, 2));
  model.start(0);
  model.start(1);
  pass(model, 3);
  const ClusterMap before = model.core->map();
  Core& core = *model.core;
  const Micros now_us = model.now_us;
  const auto says = [](const auto& result) { return result.ok() ? "" : result.error().message; };
  using testing::HasSubstr;
  EXPECT_THAT(says(core.split(now_us, RegionId{9}, std::nullopt, std::nullopt)),
              HasSubstr("no region 9"));
  EXPECT_THAT(says(core.split(now_us, RegionId{0}, Axis::X, -7500.0)), HasSubstr("1000 m"));
  EXPECT_THAT(says(core.split(now_us, RegionId{0}, Axis::X, std::nan(""))), HasSubstr("250 m"));
  EXPECT_THAT(says(core.split(now_us, RegionId{0}, static_cast<Axis>(7), 0.0)),
              HasSubstr("x, y or z"));
  EXPECT_THAT(says(core.merge(now_us, RegionId{9})), HasSubstr("no region 9"));
  EXPECT_THAT(says(core.move(now_us, RegionId{0}, "sim-9")), HasSubstr("'sim-9'"));
  EXPECT_THAT(says(core.drain(now_us, "sim-9")), HasSubstr("'sim-9'"));
  EXPECT_THAT(says(core.undrain("sim-9")), HasSubstr("'sim-9'"));
  ASSERT_TRUE(core.drain(now_us, "sim-1").ok());
  EXPECT_THAT(says(core.move(now_us, RegionId{0}, "sim-1")), HasSubstr("undrain it first"));
  ASSERT_TRUE(core.undrain("sim-1").ok());
  EXPECT_EQ(core.map().regions.size(), before.regions.size());
  EXPECT_EQ(core.map().regions[0], before.regions[0]);
}

}  // namespace
}  // namespace perigee::directory
