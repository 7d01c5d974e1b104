#include "perigee/lab/display_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

struct ADisplayMeter : testing::Test {
  static constexpr Handle deck = 1, ship = 2;
  /// The avatar moves by 1 m per tick on the server.
  void become(std::uint32_t tick, Handle parent = deck) {
    finals.claim(Tick{tick}) = {.parent = parent, .position = {static_cast<double>(tick), 0, 0}};
  }
  ShownFrame frame(std::uint32_t tick, double part, double error_m = 0, Handle parent = deck) {
    return {.at_us = tick * 16'000 + static_cast<Micros>(part * 16'000),
            .tick = Tick{tick},
            .part = part,
            .state = {.parent = parent, .position = {tick + part + error_m, 0, 0}}};
  }
  DisplayMeter meter;
  FinalStates finals;
  PlayerFigures figures;
};

TEST_F(ADisplayMeter, ComparesFramesOnceTheirStatesAreFinal) {
  for (std::uint32_t tick = 10; tick < 14; ++tick) become(tick);
  meter.note(frame(10, 0.5, 0.25));
  meter.note(frame(12, 0, 0));
  meter.judge(Tick{10}, finals, figures);
  EXPECT_TRUE(figures.shown_errors_m.empty());
  meter.judge(Tick{11}, finals, figures);
  EXPECT_THAT(figures.shown_errors_m, testing::ElementsAre(testing::DoubleNear(0.25, 1e-9)));
  meter.judge(Tick{13}, finals, figures);
  EXPECT_EQ(figures.shown_errors_m.size(), 2U);
}

TEST_F(ADisplayMeter, MeasuresChangesOfTheErrorsVelocity) {
  for (std::uint32_t tick = 10; tick < 16; ++tick) become(tick);
  for (const auto& [tick, error_m] :
       {std::pair(10U, 0.0), {11U, 0.016}, {12U, 0.032}, {13U, 0.0}}) {
    meter.note(frame(tick, 0, error_m));
  }
  meter.judge(Tick{14}, finals, figures);
  EXPECT_THAT(figures.roughness_m_s,
              testing::ElementsAre(testing::DoubleNear(0, 1e-9), testing::DoubleNear(3, 1e-9)));
}

TEST_F(ADisplayMeter, CountsBlendsOfParentsSeparately) {
  for (std::uint32_t tick = 10; tick < 20; ++tick) become(tick, ship);
  for (std::uint32_t tick = 10; tick < 19; ++tick) {
    ShownFrame shown = frame(tick, 0, 0, ship);
    shown.smoothing = tick < 13;
    meter.note(shown);
  }
  meter.judge(Tick{19}, finals, figures);
  EXPECT_EQ(figures.switch_roughness_m_s.size(), 3U) << "of 12, and two frames after it";
  EXPECT_EQ(figures.roughness_m_s.size(), 4U);
}

TEST_F(ADisplayMeter, IgnoresFramesWithAnotherParentOrAtTheView) {
  for (std::uint32_t tick = 10; tick < 14; ++tick) become(tick);
  meter.note(frame(10, 0, 0, ship));
  ShownFrame at_view = frame(11, 0);
  at_view.at_view = true;
  meter.note(at_view);
  meter.judge(Tick{13}, finals, figures);
  EXPECT_TRUE(figures.shown_errors_m.empty());
}

}  // namespace
}  // namespace perigee::lab
