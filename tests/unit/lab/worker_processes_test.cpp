#include "perigee/lab/worker_processes.hpp"

#include <gtest/gtest.h>

#include <string>

#include "unit/worker/yard.hpp"

namespace perigee::lab {
namespace {

struct SomeWorkerProcesses : testing::Test {
  std::size_t start() {
    const std::size_t index = processes.add();
    processes[index].core =
        std::make_unique<worker::Core>(worker::Settings{}, game, WorkerSlot::at(index),
                                       [](const Address&, std::span<const std::byte>) {});
    processes[index].slot = WorkerSlot::at(index);
    ++processes[index].incarnation;
    return index;
  }
  perigee::test::Yard game;
  EventQueue queue;
  WorkerProcesses processes{queue};
};

TEST_F(SomeWorkerProcesses, EndByACrash) {
  const std::size_t index = start();
  std::string events;
  processes.before_end = [&](const worker::Core&) { events += "before "; };
  processes.after_end = [&](std::size_t ended) {
    EXPECT_FALSE(processes.runs(ended));
    events += "after ";
  };
  EXPECT_TRUE(processes.survives(index, [](worker::Core&) {}));
  EXPECT_EQ(events, "");
  EXPECT_FALSE(processes.survives(index, [](worker::Core&) { throw ProcessCrash{}; }));
  EXPECT_EQ(events, "before after ");
  EXPECT_EQ(processes[index].incarnation, 1U) << "the name stays";
}

TEST_F(SomeWorkerProcesses, RunUnderOneIncarnation) {
  const std::size_t index = start();
  EXPECT_TRUE(processes.runs(index, 1));
  EXPECT_FALSE(processes.runs(index, 2));
  processes.end(index);
  EXPECT_FALSE(processes.runs(index, 1));
}

TEST_F(SomeWorkerProcesses, StandStillUntilATime) {
  const std::size_t index = start();
  processes[index].stands_still_until_us = 100;
  processes[index].ahead_us = -30;
  EXPECT_TRUE(processes.stands_still(index));
  queue.run_until(100);
  EXPECT_FALSE(processes.stands_still(index));
  EXPECT_EQ(processes.clock_us(index), 70);
}

TEST_F(SomeWorkerProcesses, KnowEachOtherByTheirMaps) {
  const std::size_t one = start();
  const std::size_t other = start();
  const auto know = [&](std::size_t who, Incarnation first, Incarnation second) {
    processes[who].knows = {{processes[one].slot, first}, {processes[other].slot, second}};
  };
  EXPECT_FALSE(processes.know_each_other(one, other)) << "without a map";
  know(one, Incarnation{1}, Incarnation{1});
  know(other, Incarnation{1}, Incarnation{1});
  EXPECT_TRUE(processes.know_each_other(one, other));
  know(other, Incarnation{1}, Incarnation{2});
  EXPECT_FALSE(processes.know_each_other(one, other)) << "one knows a former incarnation";
}

}  // namespace
}  // namespace perigee::lab
