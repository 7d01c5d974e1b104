#include "perigee/bots/marksman.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct MarksmanOnADeck : OnADeck {
  PlayerInput shoot(Marksman& marksman) {
    PlayerInput input{.tick = now};
    marksman.shoot_now_and_then({.origin = now}, input);
    return input;
  }
  Marksman sure{{senses, deeds}, {.shots_per_s = default_tick_rate_hz, .astray_m = 0}, 3};
};

TEST_F(MarksmanOnADeck, AimsAtTheNearestOtherPlayer) {
  EXPECT_TRUE(shoot(sure).samples.empty()) << "nobody to shoot at";
  spawn(other, person_row, {});
  sample(other, {20, 0.6, 0});
  const PlayerInput input = shoot(sure);
  ASSERT_EQ(input.samples.size(), 1U);
  EXPECT_EQ(input.samples[0].pressed, button_fire);
  EXPECT_NEAR(input.yaw, 65536 / 4, 2);
  EXPECT_NEAR(input.pitch, 0, 30);
  EXPECT_EQ(deeds.shots, 1U);
}

TEST_F(MarksmanOnADeck, DoesNotShootBeyondItsRange) {
  spawn(other, person_row, {});
  sample(other, {61, 0.6, 0});
  EXPECT_TRUE(shoot(sure).samples.empty());
}

TEST_F(MarksmanOnADeck, ShootsAsOftenAsItsSkillSays) {
  spawn(other, person_row, {});
  sample(other, {20, 0.6, 0});
  Marksman seldom({senses, deeds}, {.shots_per_s = 1, .astray_m = 1}, 3);
  Marksman never({senses, deeds}, {}, 3);
  for (int i = 0; i < 60 * 60; ++i) {
    shoot(seldom);
    EXPECT_TRUE(shoot(never).samples.empty());
  }
  EXPECT_NEAR(static_cast<double>(deeds.shots), 60, 25);
}

}  // namespace
}  // namespace perigee::bots
