#include "perigee/lab/event_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace perigee::lab {
namespace {

using testing::ElementsAre;

TEST(AnEventQueue, RunsEventsByTimeAndThoseOfOneTimeInTheOrderOfInsertion) {
  EventQueue queue;
  std::vector<int> ran;
  queue.at(20, [&] { ran.push_back(3); });
  queue.at(10, [&] { ran.push_back(1); });
  queue.at(10, [&] { ran.push_back(2); });
  queue.at(21, [&] { ran.push_back(4); });
  queue.run_until(20);
  EXPECT_THAT(ran, ElementsAre(1, 2, 3));
  EXPECT_EQ(queue.now_us(), 20);
  queue.run_until(30);
  EXPECT_THAT(ran, ElementsAre(1, 2, 3, 4));
}

TEST(AnEventQueue, TakesEventsOfTheEventThatRuns) {
  EventQueue queue;
  std::vector<Micros> ran_at_us;
  queue.at(10, [&] {
    queue.at(5, [&] { ran_at_us.push_back(queue.now_us()); });  // in the past: now
    queue.after(2, [&] { ran_at_us.push_back(queue.now_us()); });
    for (Micros later = 100; later < 200; ++later) {
      queue.at(later, [&] { ran_at_us.push_back(queue.now_us()); });
    }
  });
  queue.run_until(50);
  EXPECT_THAT(ran_at_us, ElementsAre(10, 12));
  queue.run_until(1'000);
  EXPECT_EQ(ran_at_us.size(), 102);
  EXPECT_EQ(ran_at_us.back(), 199);
}

}  // namespace
}  // namespace perigee::lab
