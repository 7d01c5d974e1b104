#include "without_core.hpp"

namespace perigee::gateway {
namespace {

struct UnansweredLeaves : WithoutCore {
  Leaves leaves{{.links = links, .counts = counts}, 3};
  void pass(Micros span_us) {
    for (const Micros end = now_us + span_us; now_us < end;) leaves.advance(now_us += 10'000);
  }
};

TEST_F(UnansweredLeaves, AreRepeatedUntilTheWorkerAnswers) {
  leaves.send(now_us, 11, WorkerSlot{0}, true);
  pass(2 * Leaves::period_us);
  const auto sent = leaves_to(WorkerSlot{0});
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_EQ(sent[2].session, 11U);
  EXPECT_TRUE(sent[2].lost);
  leaves.on_left(WorkerSlot{0}, {11});
  EXPECT_EQ(leaves.size(), 0U);
  pass(1'000'000);
  EXPECT_TRUE(leaves_to(WorkerSlot{0}).empty());
}

TEST_F(UnansweredLeaves, AreGivenUpAfterAWhile) {
  leaves.send(now_us, 11, WorkerSlot{0}, false);
  pass(10'000'000);
  EXPECT_EQ(leaves_to(WorkerSlot{0}).size(), Leaves::repeats_max);
  EXPECT_EQ(counts[metric.leaves_unanswered], 1U);
}

TEST_F(UnansweredLeaves, EndWithTheAnswerOfTheWorkerThatHadTheAvatarByThen) {
  leaves.send(now_us, 11, WorkerSlot{0}, false);
  leaves.send(now_us, 12, WorkerSlot{0}, false);
  leaves.on_left(WorkerSlot{1}, {11});
  EXPECT_FALSE(leaves.pending(11, WorkerSlot{0}));
  EXPECT_TRUE(leaves.pending(12, WorkerSlot{0}));
}

TEST_F(UnansweredLeaves, OfOneWorkerDoNotEndWithTheAnswerOfAnotherThatWasAskedToo) {
  leaves.send(now_us, 11, WorkerSlot{0}, false);
  leaves.send(now_us, 11, WorkerSlot{1}, false);
  leaves.on_left(WorkerSlot{1}, {11});
  EXPECT_TRUE(leaves.pending(11, WorkerSlot{0}));
  leaves.forget(11, WorkerSlot{0});
  EXPECT_EQ(leaves.size(), 0U);
}

TEST_F(UnansweredLeaves, AreBoundedAndTheOldestIsGivenUp) {
  for (SessionId session = 1; session <= 4; ++session)
    leaves.send(now_us, session, WorkerSlot{0}, false);
  EXPECT_EQ(leaves.size(), 3U);
  EXPECT_FALSE(leaves.pending(1, WorkerSlot{0}));
  EXPECT_TRUE(leaves.pending(4, WorkerSlot{0}));
  EXPECT_EQ(counts[metric.leaves_unanswered], 1U);
}

TEST_F(UnansweredLeaves, AreNotSentToWorkersOutsideTheMap) {
  leaves.send(now_us, 11, WorkerSlot{7}, false);
  EXPECT_EQ(leaves.size(), 0U);
}

}  // namespace
}  // namespace perigee::gateway
