// Due ticks, without a client.
#include "perigee/client/tick_pace.hpp"

#include "parts.hpp"

namespace perigee::client {
namespace {

struct ATickPace : testing::Test, Parts {
  ATickPace() { start(); }
  TickPace pace{{.settings = settings, .clocks = clocks, .telemetry = telemetry}};
};

TEST_F(ATickPace, StartsWithTicksThatAreTooLateToSend) {
  const auto due = pace.due(now_us, prediction.next(), true);
  ASSERT_TRUE(due);
  ASSERT_GT(due->ticks, 3);
  EXPECT_TRUE(due->too_late_to_send(0));
  EXPECT_FALSE(due->too_late_to_send(due->ticks - 1));
  EXPECT_TRUE(before(prediction.next() + due->ticks, pace.settled()));
}

TEST_F(ATickPace, CatchesUpInSteps) {
  const Tick next = prediction.next();
  const auto due = pace.due(now_us, next, true);
  ASSERT_TRUE(due);
  pass(40 * tick_us);
  const auto later = pace.due(now_us, next + due->ticks, false);
  ASSERT_TRUE(later);
  EXPECT_EQ(later->ticks, settings.ticks_per_call_max);
  EXPECT_FALSE(later->too_late_to_send(0));
  EXPECT_FALSE(later->astray);
}

TEST_F(ATickPace, IsAstrayFarFromThePresent) {
  EXPECT_TRUE(pace.due(now_us, prediction.next() - 1'000, true)->astray);
  EXPECT_TRUE(pace.due(now_us, prediction.next() - 100, false)->astray);
  EXPECT_TRUE(pace.due(now_us, prediction.next() + 100, false)->astray);
}

TEST_F(ATickPace, MissesFinalStatesAfterTwoSeconds) {
  EXPECT_TRUE(pace.hears(true, 1));
  pass(settings.uncompared_us_max / 2);
  EXPECT_TRUE(pace.hears(true, 2)) << "a new one";
  pass(settings.uncompared_us_max / 2);
  EXPECT_TRUE(pace.hears(true, 2));
  pass(settings.uncompared_us_max);
  EXPECT_FALSE(pace.hears(true, 2));
  EXPECT_EQ(telemetry.totals().stalls, 1U);
  EXPECT_TRUE(pace.hears(true, 2)) << "counted once";
}

}  // namespace
}  // namespace perigee::client
