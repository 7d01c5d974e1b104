#include "perigee/lab/fault_injector.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AFaultInjector : testing::Test, PlayerParts {
  AFaultInjector() {
    processes.after_end = [this](std::size_t index) { fabric.on_end(index); };
    for (std::size_t i = 0; i < processes.size(); ++i) ticks.on_start(i);
    maps.spread(0);
  }
  void suffer(MishapKind kind, Party a, Party b = 0) {
    faults.suffer({.kind = kind, .for_us = second_us, .a = a, .b = b});
  }
  std::function<void(worker::Core&)> before_tick;
  std::function<void(const world::JournalEntry&)> after_stored;
  std::function<void(const replay::CrashReport&)> on_crash_report;
  WorldStoreAccess store{{queue, processes, game, std::nullopt, after_stored}};
  WorkerTicks ticks{{queue, options, directory, processes, fabric, stages, before_tick,
                     [](const worker::Core&) {}}};
  MapSpreader maps{{queue, random, directory, processes, store, 0,
                    [this](const ClusterMap& map) { gateway.on_map(map); },
                    [this](std::size_t index) { ticks.begin(index); }}};
  UrgentReports reports{{queue, net, directory, processes, [this] { maps.spread(); }}};
  WorkerStarter starter{{queue, settings, game, directory, processes, store, fabric, ticks, reports,
                         on_crash_report}};
  Heartbeats heartbeats{
      {queue, directory, processes, ticks, false, [this] { return gateway.runs(); },
       [this](std::size_t index) { starter.start(index); }, [this] { maps.spread(); }}};
  FaultInjector faults{{queue, net, fabric, directory, gateway, processes, store, players, starter,
                        maps, heartbeats}};
};

TEST_F(AFaultInjector, KillsAWorkerForAWhile) {
  suffer(MishapKind::WorkerDies, 1, within_tick_max);
  EXPECT_FALSE(processes.runs(1));
  run_for(2 * second_us);
  EXPECT_TRUE(processes.runs(1, 2));
  EXPECT_TRUE(processes.runs(0, 1));
}

TEST_F(AFaultInjector, KillsAWorkerInItsNextTick) {
  faults.kill_worker_within_tick(1, 0);
  EXPECT_TRUE(processes.runs(1));
  run_for(second_us / 10);
  EXPECT_FALSE(processes.runs(1));
  EXPECT_TRUE(processes.runs(0));
}

TEST_F(AFaultInjector, DrainsAWorkerAndStartsAnotherOnceItHasEnded) {
  suffer(MishapKind::WorkerDrains, 1);
  run_for(second_us);
  EXPECT_TRUE(processes.runs(1, 1)) << "it ends by itself";
  processes.end(1);
  run_for(second_us);
  EXPECT_FALSE(processes.runs(1));
  run_for(second_us);
  EXPECT_TRUE(processes.runs(1, 2));
  EXPECT_FALSE(processes[1].leaving);
}

TEST_F(AFaultInjector, CutsTheNetAndMendsIt) {
  suffer(MishapKind::NetCut, 1, the_directory);
  suffer(MishapKind::NetCut, 1, the_directory);
  EXPECT_EQ(net.at(1, the_directory).cuts, 2) << "cuts overlap";
  directory.change_map([](ClusterMap&) {});
  maps.spread();
  EXPECT_LT(processes[1].map_version, directory.map().version);
  run_for(second_us);
  EXPECT_FALSE(net.cut(1, the_directory));
  EXPECT_EQ(processes[1].map_version, directory.map().version) << "it receives what it missed";
}

TEST_F(AFaultInjector, TakesAwayTheDirectoryAndTheGateway) {
  suffer(MishapKind::DirectoryDies, 0);
  suffer(MishapKind::GatewayDies, 0);
  EXPECT_TRUE(directory.away());
  EXPECT_FALSE(gateway.runs());
  run_for(2 * second_us);
  EXPECT_FALSE(directory.away());
  EXPECT_TRUE(gateway.runs());
}

TEST_F(AFaultInjector, UndoesWhatItDidToAClockAndToTheNet) {
  faults.suffer({.kind = MishapKind::ClockOff, .for_us = 500, .a = 1, .amount_us = 70});
  faults.suffer(
      {.kind = MishapKind::NetSlow, .for_us = 500, .a = 0, .b = 1, .amount_us = 70, .lost = 0.25});
  EXPECT_EQ(processes.clock_us(1), queue.now_us() + 70);
  EXPECT_EQ(net.at(0, 1).slow_us, 70);
  run_for(500);
  EXPECT_EQ(processes.clock_us(1), queue.now_us());
  EXPECT_EQ(net.at(0, 1).slow_us, 0);
  EXPECT_EQ(net.at(0, 1).lost, 0);
}

}  // namespace
}  // namespace perigee::lab
