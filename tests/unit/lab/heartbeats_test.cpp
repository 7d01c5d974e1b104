#include "perigee/lab/heartbeats.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomeHeartbeats : testing::Test, LabParts {
  SomeHeartbeats() {
    for (std::size_t i = 0; i < processes.size(); ++i) ticks.on_start(i);
  }
  bool alive(std::size_t index) const { return directory.map().workers[index].alive; }

  ClusterOptions options;
  ServerStages stages;
  int changes = 0;
  std::function<std::optional<Micros>()> on_way_to_peer;
  std::function<void(worker::Core&)> before_tick;
  Fabric fabric{{queue, random, net, processes, directory, [](const Address&, const Bytes&) {},
                 on_way_to_peer}};
  WorkerTicks ticks{{queue, options, directory, processes, fabric, stages, before_tick,
                     [](const worker::Core&) {}}};
  Heartbeats heartbeats{{queue, directory, processes, ticks, false, [] { return false; },
                         [this](std::size_t index) {
                           start(index);
                           ticks.on_start(index);
                         },
                         [this] { ++changes; }}};
};

TEST_F(SomeHeartbeats, KeepWorkersAlive) {
  heartbeats.second();
  run_for(10 * second_us);
  EXPECT_TRUE(alive(0));
  EXPECT_TRUE(alive(1));
  EXPECT_EQ(changes, 0);
}

TEST_F(SomeHeartbeats, OfOneThatStandsStillAreMissing) {
  heartbeats.second();
  processes[1].stands_still_until_us = queue.now_us() + 8 * second_us + 1;
  run_for(8 * second_us);
  EXPECT_TRUE(alive(0));
  EXPECT_FALSE(alive(1));
  EXPECT_EQ(changes, 1);
  run_for(2);
  heartbeats.wake_up(1, 1);
  EXPECT_TRUE(processes.runs(1, 2)) << "it was declared dead, and begins anew";
  EXPECT_EQ(changes, 2);
  heartbeats.wake_up(1, 1);
  EXPECT_TRUE(processes.runs(1, 2)) << "that incarnation has ended";
}

TEST_F(SomeHeartbeats, EndWithALeavingWorkerThatOwnsNothing) {
  const std::size_t newcomer = processes.add();
  start(newcomer);
  ticks.on_start(newcomer);
  processes[newcomer].leaving = processes[0].leaving = true;
  heartbeats.second();
  EXPECT_FALSE(processes.runs(newcomer));
  EXPECT_TRUE(processes.runs(0)) << "it owns a region";
}

TEST_F(SomeHeartbeats, OfAllWorkersAreReceivedAtOnce) {
  for (int i = 0; i < 10; ++i) {
    run_for(second_us);
    heartbeats.all_workers();
  }
  EXPECT_TRUE(alive(0));
  EXPECT_TRUE(alive(1));
}

}  // namespace
}  // namespace perigee::lab
