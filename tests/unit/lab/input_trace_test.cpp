#include "perigee/lab/input_trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

struct AnInputTrace : testing::Test {
  InputTrace trace{30'000, 50'000};
  PlayFigures figures;
};

TEST_F(AnInputTrace, MeasuresFromSamplingToTheConsumingTick) {
  trace.on_delay(2);
  trace.on_sampled(Tick{100}, 1'000'000);
  trace.on_tick(Tick{102}, 1'070'000, false);
  trace.note_final(Tick{102}, false, figures);
  EXPECT_THAT(figures.input_delays_ms, testing::ElementsAre(70.0));
  EXPECT_EQ(figures.late, 0U);
}

TEST_F(AnInputTrace, CountsGuessesThatWereReplaced) {
  trace.on_sampled(Tick{100}, 1'000'000);
  trace.on_tick(Tick{100}, 1'010'000, true);
  trace.note_final(Tick{100}, false, figures);
  EXPECT_EQ(figures.late, 1U);
  trace.on_tick(Tick{101}, 1'020'000, true);
  trace.note_final(Tick{101}, true, figures);
  EXPECT_EQ(figures.late, 1U) << "it was never replaced";
}

TEST_F(AnInputTrace, KnowsWhichInputsNoPathCouldDeliverInTime) {
  trace.on_sampled(Tick{100}, 1'000'000);
  trace.on_tick(Tick{100}, 980'000, true);
  EXPECT_FALSE(trace.sampled_too_late(Tick{100})) << "30 ms on the way, 50 ms to rewind";
  trace.on_sampled(Tick{101}, 1'000'001);
  trace.on_tick(Tick{101}, 980'000, true);
  EXPECT_TRUE(trace.sampled_too_late(Tick{101}));
  EXPECT_FALSE(trace.sampled_too_late(Tick{102})) << "unknown";
}

TEST_F(AnInputTrace, KnowsWhichTicksWereGuessed) {
  trace.on_delay(1);
  trace.on_tick(Tick{100}, 1'000'000, true);
  EXPECT_TRUE(trace.guessed(Tick{98}, Tick{100}));
  EXPECT_FALSE(trace.guessed(Tick{98}, Tick{99}));
  EXPECT_FALSE(trace.guessed(Tick{100}, Tick{110}));
}

}  // namespace
}  // namespace perigee::lab
