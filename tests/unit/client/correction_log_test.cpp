// Counting of corrections, without a client.
#include "perigee/client/correction_log.hpp"

#include "parts.hpp"

namespace perigee::client {
namespace {

struct ACorrectionLog : testing::Test, Parts {
  CorrectionLog log{{.clocks = clocks,
                     .entities = store,
                     .prediction = prediction,
                     .display = display,
                     .telemetry = telemetry},
                    {}};
  void correct(double meters) {
    log.on_correction({.meters = meters,
                       .cause = CorrectionCause::NotStreamed,
                       .at = prediction.next(),
                       .storm = CorrectionCause::InputLate});
  }
};

TEST_F(ACorrectionLog, KeepsTheNewestCorrection) {
  start();
  correct(0.2);
  pass(1'000'000);
  correct(0.3);
  EXPECT_EQ(log.shown(), 2U);
  EXPECT_EQ(log.last_shown().meters, 0.3);
  EXPECT_EQ(telemetry.totals().corrections, 2U);
  EXPECT_EQ(telemetry.totals().corrections_static, 2U) << "on the deck";
}

TEST_F(ACorrectionLog, DoesNotCountWhatIsNotDisplayed) {
  start();
  display.advance(now_us, 0, true);
  correct(0.2);
  EXPECT_EQ(log.shown(), 0U);
  EXPECT_EQ(telemetry.totals().corrections, 0U);
}

TEST_F(ACorrectionLog, OpensTheBreakerInAStormAlsoIfItIsNotDisplayed) {
  start();
  display.advance(now_us, 0, true);
  for (int i = 0; i < 3; ++i) {
    correct(0.2);
    pass(300'000);
  }
  EXPECT_TRUE(log.breaker().open());
  log.forget_world();
  EXPECT_FALSE(log.breaker().open());
}

}  // namespace
}  // namespace perigee::client
