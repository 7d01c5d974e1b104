#include "perigee/lab/worker_starter.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct AWorkerStarter : testing::Test, LabParts {
  ClusterOptions options;
  ServerStages stages;
  std::function<std::optional<Micros>()> on_way_to_peer;
  std::function<void(worker::Core&)> before_tick;
  std::function<void(const world::JournalEntry&)> after_stored;
  std::function<void(const replay::CrashReport&)> on_crash_report;
  WorldStoreAccess store{{queue, processes, game, std::nullopt, after_stored}};
  Fabric fabric{{queue, random, net, processes, directory, [](const Address&, const Bytes&) {},
                 on_way_to_peer}};
  WorkerTicks ticks{{queue, options, directory, processes, fabric, stages, before_tick,
                     [](const worker::Core&) {}}};
  UrgentReports reports{{queue, net, directory, processes, [] {}}};
  WorkerStarter starter{{queue, settings, game, directory, processes, store, fabric, ticks, reports,
                         on_crash_report}};
};

TEST_F(AWorkerStarter, RegistersAnotherName) {
  EXPECT_EQ(starter.start_another(), 2U);
  directory.core().advance(queue.now_us());
  ASSERT_EQ(directory.map().workers.size(), 3U);
  EXPECT_TRUE(directory.map().workers[2].alive);
  EXPECT_EQ(directory.map().workers[2].fabric, worker_fabric(2));
  EXPECT_TRUE(processes.runs(2, 1));
  EXPECT_FALSE(ticks.ticks(2));
}

TEST_F(AWorkerStarter, BeginsANewIncarnationUnderAName) {
  const HandleBase before = processes[0].handle_base;
  processes[0].held = true;
  processes[0].map_version = 7;
  processes.end(0);
  starter.start(0);
  EXPECT_TRUE(processes.runs(0, 2));
  EXPECT_EQ(processes[0].slot, WorkerSlot{0});
  EXPECT_NE(processes[0].handle_base, before);
  EXPECT_FALSE(processes[0].held);
  EXPECT_EQ(processes[0].map_version, 0U) << "it knows no map yet";
}

TEST_F(AWorkerStarter, ConnectsTheProcessToItsPeers) {
  processes.end(0);
  starter.start(0);
  processes[0].core->outputs.to_peer(WorkerSlot{1}, Bytes{std::byte{255}});
  run_for(second_us);
  EXPECT_EQ(count(1, worker::metric.drop_malformed), 1U);
}

}  // namespace
}  // namespace perigee::lab
