#include "perigee/client/step_history.hpp"

#include <gtest/gtest.h>

namespace perigee::client {
namespace {

constexpr Tick history_start{1'000};

void claim_ticks(StepHistory& history, Tick from, Tick to) {
  for (Tick t = from; before(t, to); ++t) history.claim(t).tick = t;
}

TEST(StepHistory, FindsOnlyTicksThatWereClaimed) {
  StepHistory history;
  claim_ticks(history, history_start, history_start + 300);
  EXPECT_EQ(history.find(history_start + 43), nullptr) << "another tick took its place";
  ASSERT_NE(history.find(history_start + 44), nullptr);
  EXPECT_EQ(history.find(history_start + 44)->tick, history_start + 44);
  EXPECT_EQ(history.find(history_start + 300), nullptr);
  history.clear();
  EXPECT_EQ(history.find(history_start + 299), nullptr);
}

TEST(StepHistory, KeepsSomeTicksBeforeTheFinalOne) {
  StepHistory history;
  claim_ticks(history, history_start, history_start + 200);
  history.settle(history_start + 150);
  EXPECT_EQ(history.find(history_start + 150 - StepHistory::kept_ticks - 1), nullptr);
  EXPECT_NE(history.find(history_start + 150 - StepHistory::kept_ticks), nullptr);
  EXPECT_NE(history.find(history_start + 199), nullptr);
}

TEST(StepHistory, ForgetsTheOldTicksOfALaterAndOfAnEarlierWorld) {
  for (const std::int32_t jump : {10'000, -10'000, 300, -300}) {
    StepHistory history;
    claim_ticks(history, history_start, history_start + 100);
    history.settle(history_start + 90);
    history.clear();
    const Tick other = history_start + jump;
    claim_ticks(history, other, other + 200);
    history.settle(other + 190);
    EXPECT_EQ(history.find(other + 190 - StepHistory::kept_ticks - 1), nullptr) << jump;
    EXPECT_NE(history.find(other + 190 - StepHistory::kept_ticks), nullptr) << jump;
  }
}

TEST(StepHistory, GivesEmptyRecordsAndTakesThemBack) {
  StepHistory history;
  history.claim(history_start).guessed = true;
  history.claim(history_start).neighbours.resize(3);
  EXPECT_FALSE(history.find(history_start)->guessed);
  EXPECT_TRUE(history.claim(history_start + 256).neighbours.empty());
  EXPECT_EQ(history.find(history_start), nullptr);
  history.forget(history_start + 256);
  EXPECT_EQ(history.find(history_start + 256), nullptr);
}

}  // namespace
}  // namespace perigee::client
