// Which reports count, and how stalls of the directory itself are noticed.
#include "perigee/directory/worker_reports.hpp"

#include <gtest/gtest.h>

#include "perigee/directory/stall_detector.hpp"

namespace perigee::directory {
namespace {

struct AWorkersReport : testing::Test {
  AWorkersReport() {
    map.version = 10;
    map.workers = {{.slot = WorkerSlot{0}, .alive = true, .incarnation = Incarnation{2}},
                   {.slot = WorkerSlot{1}, .alive = false, .incarnation = Incarnation{1}}};
  }
  ClusterMap map;
  WorkerReports reports{map};
};

TEST_F(AWorkersReport, CountsOnlyForThePresentClusterId) {
  EXPECT_FALSE(reports.accept(0, {.incarnation = Incarnation{1}, .map_version = 9}));
  EXPECT_EQ(reports.refused(), 0U) << "it is late, not wrong";
  EXPECT_EQ(reports.of(WorkerSlot{0}), nullptr);
  EXPECT_TRUE(reports.accept(0, {.incarnation = Incarnation{2}, .map_version = 10, .entities = 5}));
  EXPECT_EQ(reports.of(WorkerSlot{0})->entities, 5U);
}

TEST_F(AWorkersReport, IsRefusedIfItCannotBe) {
  EXPECT_FALSE(reports.accept(0, {.incarnation = Incarnation{2}, .map_version = 11}))
      << "a map of the future";
  EXPECT_FALSE(
      reports.accept(0, {.incarnation = Incarnation{2}, .map_version = 10, .load_ms = -1}));
  EXPECT_FALSE(reports.accept(1, {.incarnation = Incarnation{1}, .map_version = 10}))
      << "that worker is dead";
  EXPECT_FALSE(reports.accept(2, {.incarnation = Incarnation{1}, .map_version = 10}));
  EXPECT_EQ(reports.refused(), 4U);
}

TEST_F(AWorkersReport, IsForgottenWhenTheWorkerDies) {
  ASSERT_TRUE(reports.accept(0, {.incarnation = Incarnation{2}, .map_version = 10}));
  reports.forget_dead();
  EXPECT_NE(reports.of(WorkerSlot{0}), nullptr);
  map.workers[0].alive = false;
  reports.forget_dead();
  EXPECT_EQ(reports.of(WorkerSlot{0}), nullptr);
}

TEST(AStallDetector, ReportsThePauseBeyondASecondAndDoubtsForAWhile) {
  StallDetector stalls(100'000'000);
  EXPECT_EQ(stalls.advance(101'000'000), 0);
  EXPECT_FALSE(stalls.unsure());
  EXPECT_EQ(stalls.advance(104'500'000), 2'500'000);
  EXPECT_TRUE(stalls.unsure());
  Micros now_us = 104'500'000;
  while (now_us < 104'500'000 + StallDetector::unsure_us) {
    EXPECT_TRUE(stalls.unsure());
    now_us += 500'000;
    EXPECT_EQ(stalls.advance(now_us), 0);
  }
  EXPECT_FALSE(stalls.unsure());
}

}  // namespace
}  // namespace perigee::directory
