#include "perigee/host/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <memory>
#include <thread>
#include <vector>

namespace perigee::host {
namespace {

TEST(ALoop, RunsPostedCallsInOrderFromAnyThread) {
  Loop loop;
  std::vector<int> order;
  std::thread other([&] {
    for (int i = 0; i < 100; ++i) loop.post([&order, i] { order.push_back(i); });
    loop.post([&] { loop.stop(); });
  });
  loop.run();
  other.join();
  ASSERT_EQ(order.size(), 100U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(ALoop, FiresTimersInOrderOfTheirDeadlinesAndNeverEarly) {
  Loop loop;
  const Micros start_us = Loop::clock_us();
  const Micros early_us = start_us + 1'500;
  const Micros late_us = start_us + 6'000;
  std::vector<Micros> first_fired, second_fired;
  const auto note = [&](std::vector<Micros>& fired) {
    fired.push_back(Loop::clock_us());
    if (!first_fired.empty() && !second_fired.empty()) loop.stop();
  };
  Timer second(loop, [&] { note(second_fired); });
  Timer first(loop, [&] { note(first_fired); });
  second.at(late_us);
  first.at(early_us);
  loop.run();
  ASSERT_THAT(first_fired, testing::SizeIs(1));
  ASSERT_THAT(second_fired, testing::SizeIs(1));
  EXPECT_GE(first_fired[0], early_us);
  EXPECT_GE(second_fired[0], late_us);
  // If the machine stalls until both are overdue, they may fire in any order.
  if (first_fired[0] < late_us) {
    EXPECT_LE(first_fired[0], second_fired[0]);
  }
}

TEST(ALoop, RepeatsATimerUntilItIsStopped) {
  Loop loop;
  int count = 0;
  Timer end(loop, [&] { loop.stop(); });
  Timer timer(loop, [&] {
    if (++count < 3) return;
    timer.stop();
    end.at(Loop::clock_us() + 5'000);
  });
  timer.every(1'000);
  loop.run();
  EXPECT_EQ(count, 3);
}

TEST(ALoop, LetsATimerDestroyItselfWhileFiring) {
  Loop loop;
  std::unique_ptr<Timer> timer;
  timer = std::make_unique<Timer>(loop, [&] {
    timer.reset();
    loop.stop();
  });
  timer->at(0);
  loop.run();
  EXPECT_EQ(timer, nullptr);
}

TEST(ALoop, SendsOutputOnceAfterTheHooksOfTheTurnThatQueuedIt) {
  Loop loop;
  std::vector<char> order;
  TurnOutput output(loop, [&] { order.push_back('o'); });
  TurnOutput silent(loop, [&] { order.push_back('s'); });
  loop.at_turn_end([&] { order.push_back('h'); });
  loop.post([&] {
    order.clear();
    output.queue();
    output.queue();
    loop.stop();
  });
  loop.run();
  EXPECT_THAT(order, testing::ElementsAre('h', 'o')) << "also in the turn that stops";
}

TEST(ALoop, SendsWhatAnotherOutputQueuesAndNothingOfADestroyedOne) {
  Loop loop;
  std::vector<char> order;
  TurnOutput second(loop, [&] { order.push_back('2'); });
  TurnOutput first(loop, [&] {
    order.push_back('1');
    second.queue();
  });
  auto gone = std::make_unique<TurnOutput>(loop, [&] { order.push_back('g'); });
  loop.post([&] {
    gone->queue();
    first.queue();
    gone.reset();
    loop.stop();
  });
  loop.run();
  EXPECT_THAT(order, testing::ElementsAre('1', '2'));
}

TEST(ALoop, AsksTheSignalHandlerFirstAndStopsAtTheSecondSignal) {
  Loop loop;
  int asked = 0;
  loop.on_signal([&](int number) {
    EXPECT_EQ(number, SIGTERM);
    ++asked;
    raise(SIGTERM);
  });
  loop.post([] { raise(SIGTERM); });
  loop.run();
  EXPECT_EQ(asked, 1);
  EXPECT_TRUE(loop.stopping());
}

TEST(ALoop, StaysAwakeForItsBudgetAfterTheLastActivity) {
  Loop loop;
  loop.stay_awake(3'000);
  Timer end(loop, [&] { loop.stop(); });
  const auto run_for = [&](Micros span_us) {
    end.at(Loop::clock_us() + span_us);
    loop.run();
    return loop.awake_us();
  };
  loop.note_activity();
  EXPECT_GE(run_for(5'000), 3'000);
  const Micros asleep_us = run_for(5'000);
  EXPECT_EQ(run_for(5'000), asleep_us) << "nothing happened since";
}

TEST(ALoop, SleepsAtOnceWithoutABudget) {
  Loop loop;
  Timer end(loop, [&] { loop.stop(); });
  loop.note_activity();
  end.at(Loop::clock_us() + 2'000);
  loop.run();
  EXPECT_EQ(loop.awake_us(), 0);
}

}  // namespace
}  // namespace perigee::host
