#include "perigee/bots/stroller.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::bots {
namespace {

constexpr Tick stroll_start{100};

struct AStroller : testing::Test {
  client::ThinAvatar avatar;
  Stroller stroller{avatar, 7};
  Tick now = stroll_start;

  AStroller() { stand_at({10, 0, 10}); }
  void stand_at(const Vec3& place) {
    OwnSection own;
    own.avatar = 4;
    own.final_tick = now;
    own.final_parent = 2;
    own.final_state.position = place;
    avatar.on_own(own);
  }
  PlayerInput next() { return stroller.sample(now = now + 1); }
};

TEST_F(AStroller, WalksMostOfTheTimeAndMovesItsMouse) {
  int walks = 0;
  std::set<std::uint16_t> looks;
  for (int i = 0; i < 6'000; ++i) {
    const PlayerInput input = next();
    EXPECT_EQ(input.tick, now);
    EXPECT_LE(std::abs(int{input.pitch}), 65536 / 8);
    walks += input.forward > 0;
    looks.insert(input.yaw);
  }
  EXPECT_GT(walks, 4'000);
  EXPECT_LT(walks, 6'000);
  EXPECT_GT(looks.size(), 1'000U);
}

TEST_F(AStroller, TurnsBackAtTheEndOfItsLeash) {
  next();
  stand_at({10, 0, 10 + Stroller::leash_m + 5});
  PlayerInput input;
  for (int i = 0; i < 300; ++i) input = next();
  EXPECT_EQ(input.forward, 127);
  EXPECT_NEAR(input.yaw, 65536 / 2, 2) << "towards -z";
}

TEST_F(AStroller, PlaysTheSameWithTheSameSeed) {
  Stroller other(avatar, 7);
  Stroller different(avatar, 8);
  bool differs = false;
  for (int i = 0; i < 600; ++i) {
    const PlayerInput input = next();
    EXPECT_EQ(other.sample(now), input);
    differs = differs || !(different.sample(now) == input);
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace perigee::bots
