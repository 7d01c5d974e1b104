#include "perigee/lab/worker_ticks.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomeWorkerTicks : testing::Test, LabParts {
  SomeWorkerTicks() : LabParts(1) {
    processes[0].core->on_map(directory.map(), tick_at(directory.time(), queue.now_us()) + 2);
    ticks.on_start(0);
  }
  ClusterOptions options;
  ServerStages stages;
  int simulated = 0;
  std::function<std::optional<Micros>()> on_way_to_peer;
  std::function<void(worker::Core&)> before_tick;
  Fabric fabric{{queue, random, net, processes, directory, [](const Address&, const Bytes&) {},
                 on_way_to_peer}};
  WorkerTicks ticks{{queue, options, directory, processes, fabric, stages, before_tick,
                     [this](const worker::Core&) { ++simulated; }}};
};

TEST_F(SomeWorkerTicks, ComeSixtyTimesASecond) {
  EXPECT_FALSE(ticks.ticks(0));
  ticks.begin(0);
  ticks.begin(0);
  run_for(second_us);
  EXPECT_NEAR(simulated, 58, 3) << "the first one is two ticks from the start";
  EXPECT_LT(ticks.late_us(0), 20'000);
}

TEST_F(SomeWorkerTicks, WaitForAProcessThatStandsStill) {
  ticks.begin(0);
  processes[0].stands_still_until_us = second_us / 2;
  run_for(second_us / 2 - 1);
  EXPECT_EQ(simulated, 0);
  EXPECT_GT(ticks.late_us(0), 400'000);
  run_for(second_us / 2);
  EXPECT_GT(simulated, 55) << "they are caught up";
}

TEST_F(SomeWorkerTicks, EndWithTheirProcess) {
  ticks.begin(0);
  run_for(second_us / 2);
  before_tick = [](worker::Core&) { throw ProcessCrash{}; };
  run_for(second_us / 2);
  EXPECT_FALSE(processes.runs(0));
  EXPECT_LT(simulated, 31);
}

TEST_F(SomeWorkerTicks, HaveACost) {
  options.tick_cost = [](const worker::Core&) { return Micros{20'000}; };
  EXPECT_FALSE(ticks.take_spent(0).load_ms) << "no tick yet";
  ticks.begin(0);
  run_for(2 * second_us);
  EXPECT_NEAR(simulated, 98, 3) << "the next one cannot start before";
  const WorkerTicks::Spent spent = ticks.take_spent(0);
  EXPECT_EQ(spent.load_ms, 20);
  EXPECT_NEAR(spent.pace_ms, 20, 0.5);
  EXPECT_FALSE(ticks.take_spent(0).load_ms);
  EXPECT_GT(ticks.budget(0).least_stretch(), 1);
}

}  // namespace
}  // namespace perigee::lab
