// A client's claims of its predicted position, against final states. (V6, V7)
#include "perigee/worker/players/claims.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace perigee::worker {
namespace {

/// A player that stood at the origin in all ticks up to `next`, which are final.
struct AClaimedPosition : testing::Test {
  AClaimedPosition() {
    settings.misprediction_m = 0.25;
    settings.reset_m = 5;
    player.inputs = InputTimeline(settings.inputs);
    player.inputs.reset(first);
    player.claims_checked = first + 1;
    for (Tick tick = first; before(tick, next); ++tick) player.records.claim(tick).tick = tick;
  }
  /// Claims the position at the start of each tick that has not been checked, and checks.
  void claim(const Vec3f& position, Handle parent = no_entity) {
    for (Tick tick = player.claims_checked; before(tick, next); ++tick) {
      player.claims.claim(tick) = {.parent = parent, .position = position};
    }
    claims.check(player);
  }
  /// More ticks become final.
  void pass(std::int32_t ticks) {
    for (; ticks > 0; --ticks, ++next) player.records.claim(next).tick = next;
  }

  static constexpr Tick first{1000};
  Tick next = first + 30;
  Settings settings;
  Counts<Count> counts;
  std::vector<double> mispredictions_m;
  Player player;
  Claims claims{{.counts = counts,
                 .settings = settings,
                 .next = next,
                 .on_misprediction = [this](const Player&, Tick, double meters) {
                   mispredictions_m.push_back(meters);
                 }}};
};

TEST_F(AClaimedPosition, ThatIsRightChangesNothing) {
  claim({0, 0, 0});
  EXPECT_TRUE(mispredictions_m.empty());
  EXPECT_EQ(counts[metric.hard_resets], 0U);
  EXPECT_EQ(player.reset_epoch, 0);
}

TEST_F(AClaimedPosition, ThatIsOffIsAMisprediction) {
  claim({1, 0, 0});
  ASSERT_FALSE(mispredictions_m.empty());
  EXPECT_DOUBLE_EQ(mispredictions_m.front(), 1);
  EXPECT_EQ(counts[metric.hard_resets], 0U);
}

TEST_F(AClaimedPosition, ThatIsFarOffWhenTheClientMayKnowIsReset) {
  claim({6, 0, 0});
  EXPECT_EQ(counts[metric.hard_resets], 0U) << "the client may not know that final state yet";
  EXPECT_EQ(player.far_off_since, first + 1);
  EXPECT_EQ(mispredictions_m.size(), 1U) << "claims that were made before are dropped";
  pass(10);
  claim({6, 0, 0});
  EXPECT_EQ(mispredictions_m.size(), 2U) << "the player starts anew, and later claims are void";
  EXPECT_EQ(counts[metric.hard_resets], 1U);
  EXPECT_EQ(player.reset_epoch, 1);
  EXPECT_EQ(player.claims_checked, next + settings.reset_rest_ticks);
  EXPECT_FALSE(player.far_off_since);
}

TEST_F(AClaimedPosition, ThatIsCorrectedIsNotReset) {
  claim({6, 0, 0});
  pass(10);
  claim({4, 0, 0});
  EXPECT_FALSE(player.far_off_since);
  pass(10);
  claim({6, 0, 0});
  EXPECT_EQ(counts[metric.hard_resets], 0U) << "of this, the client may not know yet";
}

TEST_F(AClaimedPosition, InAnotherParentsFrameIsNotComparedButResetAfterAWhile) {
  settings.reset_parent_ticks = 8;
  claim({6, 0, 0}, 77);
  EXPECT_EQ(counts[metric.hard_resets], 0U);
  EXPECT_EQ(player.far_off_since, first + 9);
  pass(1);
  claim({6, 0, 0}, 77);
  EXPECT_TRUE(mispredictions_m.empty());
  EXPECT_EQ(counts[metric.hard_resets], 1U);
}

TEST_F(AClaimedPosition, OfATickThatIsNotFinalIsNotCompared) {
  next = first + 2;
  claim({6, 0, 0});
  EXPECT_TRUE(mispredictions_m.empty());
}

}  // namespace
}  // namespace perigee::worker
