// Views and the scene, without a client.
#include "perigee/client/display.hpp"

#include "parts.hpp"
#include "perigee/client/scene.hpp"
#include "track_records.hpp"

namespace perigee::client {
namespace {

struct ADisplay : testing::Test, Parts {
  Scene scene{{.entities = store, .prediction = prediction, .clocks = clocks, .display = display}};

  void frame(bool animate = false) {
    pass(tick_us);
    display.advance(now_us, seconds_per_tick, animate);
  }
};

TEST_F(ADisplay, HasNoSceneBeforeTheFirstBlock) {
  EXPECT_TRUE(scene.draw(now_us).empty());
  EXPECT_FALSE(scene.own(now_us));
}

TEST_F(ADisplay, InterpolatesBetweenTwoPredictedStates) {
  start();
  while (display.shown_part(now_us) >= 1) predict();
  const double part = display.shown_part(now_us);
  EXPECT_GT(part, 0);
  EXPECT_NEAR(display.shown_part(now_us + tick_us / 4), std::min(part + 0.25, 1.0), 1e-4);
  EXPECT_EQ(display.shown_part(now_us + 2 * tick_us), 1) << "the next tick was not predicted";
}

TEST_F(ADisplay, SeesFromTheOwnAvatarAtItsTick) {
  start();
  while (display.shown_part(now_us) >= 1) predict();
  const ViewPoint at = display.view(now_us);
  EXPECT_NEAR(at.ticks + at.ahead_ticks, clocks.predicted_ticks(now_us) - 1, 1e-9)
      << "between the last two states";
  EXPECT_EQ(at.eye, prediction.true_position(display.shown_part(now_us)));
}

TEST_F(ADisplay, WithoutPredictionIsAtVAlone) {
  start();
  while (display.shown_part(now_us) >= 1) predict();
  EXPECT_GT(display.view(now_us).ahead_ticks, 0);
  frame(true);
  EXPECT_TRUE(display.animating());
  EXPECT_EQ(display.view(now_us).ahead_ticks, 0);
  EXPECT_EQ(display.seen().ticks, clocks.time().view_ticks());
  frame(false);
  EXPECT_FALSE(display.animating());
}

TEST_F(ADisplay, KnowsTheAgeOfTheViewThatIsAimedAt) {
  start();
  predict();
  frame();
  const Tick tick = prediction.next();
  const double age_ticks = ticks_between(display.seen().origin, tick) - display.seen().ticks;
  EXPECT_NEAR(display.view_age(tick), age_ticks * 16, 0.5);
}

TEST_F(ADisplay, DrawsParentsBeforeChildrenAndTheOwnAvatarAtItsPrediction) {
  start();
  while (display.shown_part(now_us) >= 1) predict();
  const auto drawn = scene.draw(now_us);
  ASSERT_FALSE(drawn.empty());
  std::vector<Handle> before{no_entity};
  for (const SceneEntity& entity : drawn) {
    EXPECT_NE(std::find(before.begin(), before.end(), entity.parent), before.end());
    before.push_back(entity.handle);
    EXPECT_EQ(entity.own, entity.handle == server.avatar);
  }
  const auto own = scene.own(now_us);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->local.position, prediction.display_position(display.shown_part(now_us)));
}

TEST_F(ADisplay, CountsEntitiesBeyondTheirNewestSample) {
  start();
  store.record({}, test::straight(server.avatar, server.now() - 30, {}), 1);
  EXPECT_FALSE(telemetry.report(now_us)) << "the second begins";
  pass(60 * tick_us);
  display.count_extrapolated();
  const auto report = telemetry.report(now_us);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->extrapolations, 1U);
}

}  // namespace
}  // namespace perigee::client
