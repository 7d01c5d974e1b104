// Figures of the lab's oracle for different techniques: checks that they are not noise.
#include <gtest/gtest.h>

#include "flight.hpp"
#include "perigee/lab/presets.hpp"

namespace perigee {
namespace {

/// Four players at 300 ms for half a minute, in which some of them are corrected.
lab::PlayerFigures played(std::string_view preset) {
  lab::ClusterOptions options;
  options.client.techniques = lab::find_preset(preset)->techniques;
  Flight flight("P3", 4, 2, options);
  flight.run(10);
  flight.cluster->restart_figures();
  flight.run(30);
  return flight.figures();
}

// E4, E5, E8 by M4: without smoothing errors jump; the constant weight lags behind all that moves
TEST(TheOracle, SeesWhatSmoothingIsFor) {
  const lab::PlayerFigures quintic = played("perigee");
  const lab::PlayerFigures at_once = played("no-smoothing");
  const lab::PlayerFigures dragging = played("constant-weight");
  for (const lab::PlayerFigures* figures : {&quintic, &at_once, &dragging}) {
    EXPECT_GE(figures->corrections, 1U);
    EXPECT_GT(figures->roughness_m_s.size(), 4'000U);
    EXPECT_EQ(figures->corrections, figures->corrections_m.size());
  }
  const double smooth_m_s = lab::quantile(quintic.roughness_m_s, 1);
  EXPECT_GT(lab::quantile(at_once.roughness_m_s, 1), 5 * smooth_m_s);
  EXPECT_GT(lab::quantile(dragging.roughness_m_s, 1), 5 * smooth_m_s);
}

// B4: without prediction one's own avatar is displayed a round trip late
TEST(TheOracle, SeesThatWithoutPredictionOneIsLate) {
  Flight predicted("P2", 4, 5);
  predicted.run(20);
  lab::ClusterOptions options;
  options.client.techniques = lab::find_preset("no-prediction")->techniques;
  Flight animated("P2", 4, 5, options);
  animated.run(20);
  double late_m = 0;
  double predicted_m = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& late = animated.cluster->players()[i].oracle.figures();
    EXPECT_GT(late.frames_animated, late.frames * 9 / 10);
    EXPECT_EQ(late.corrections, 0U);
    late_m += lab::quantile(late.shown_errors_m, 0.5);
    predicted_m +=
        lab::quantile(predicted.cluster->players()[i].oracle.figures().shown_errors_m, 0.5);
  }
  EXPECT_GT(late_m / 4, 0.3);
  EXPECT_LT(predicted_m / 4, 0.01);
}

TEST(APreset, IsFoundByItsNameOrAllAreNamed) {
  for (const lab::Preset& preset : lab::presets()) {
    EXPECT_EQ(lab::find_preset(preset.name)->techniques, preset.techniques);
  }
  const auto none = lab::find_preset("best");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("no-prediction"), std::string::npos);
}

}  // namespace
}  // namespace perigee
