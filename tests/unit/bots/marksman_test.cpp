#include "perigee/bots/marksman.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct MarksmanOnADeck : OnADeck {
  /// Its next shot within half a second, if there is one.
  PlayerInput shoot(Marksman& marksman) {
    PlayerInput input;
    for (int i = 0; i < Look::turn_ticks_max; ++i) {
      input = tick(marksman);
      if (!input.samples.empty()) break;
    }
    return input;
  }
  PlayerInput tick(Marksman& marksman) {
    marksman.aim_now_and_then({.origin = now});
    PlayerInput input = input_after(1);
    input.forward = 127;
    marksman.shoot_if_aimed(input);
    return input;
  }
  Marksman sure{
      {senses, look_around, deeds}, {.shots_per_s = default_tick_rate_hz, .astray_m = 0}, 3};
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

TEST_F(MarksmanOnADeck, TurnsToItsTargetInHalfASecondAndStandsMeanwhile) {
  spawn(other, person_row, {});
  sample(other, {0, 0.6, -20});
  std::uint16_t yaw = 0;
  int ticks = 0;
  for (bool shot = false; !shot; ++ticks) {
    const PlayerInput input = tick(sure);
    shot = !input.samples.empty();
    EXPECT_EQ(input.forward, 0);
    EXPECT_LT(std::abs(static_cast<std::int16_t>(input.yaw - yaw)), 65536 * 15 / 360);
    yaw = input.yaw;
  }
  EXPECT_GE(ticks, Look::turn_ticks_min);
  EXPECT_LE(ticks, Look::turn_ticks_max);
}

TEST_F(MarksmanOnADeck, DoesNotShootBeyondItsRange) {
  spawn(other, person_row, {});
  sample(other, {61, 0.6, 0});
  EXPECT_TRUE(shoot(sure).samples.empty());
}

TEST_F(MarksmanOnADeck, ShootsAsOftenAsItsSkillSays) {
  spawn(other, person_row, {});
  Marksman seldom({senses, look_around, deeds}, {.shots_per_s = 1, .astray_m = 1}, 3);
  for (int i = 0; i < 60 * 60; ++i) {
    if (i % 60 == 0) sample(other, {20, 0.6, 0});
    tick(seldom);
  }
  EXPECT_NEAR(static_cast<double>(deeds.shots), 60, 25);
  Marksman never({senses, look_around, deeds}, {}, 3);
  for (int i = 0; i < 60; ++i) EXPECT_TRUE(tick(never).samples.empty());
}

}  // namespace
}  // namespace perigee::bots
