#include "perigee/lab/correction_meter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

TEST(ACorrectionMeter, CountsQuickDisplacementsAsOneWithItsPeak) {
  CorrectionMeter meter;
  PlayerFigures figures;
  const CauseFound cause{.cause = CorrectionCause::InputLost};
  meter.note(1'000'000, 0.1, false, cause, figures);
  EXPECT_FALSE(meter.is_another(1'249'999));
  meter.note(1'200'000, 0.4, false, {}, figures);
  EXPECT_TRUE(meter.is_another(1'450'000));
  meter.note(1'450'000, 0.2, false, {}, figures);
  EXPECT_EQ(figures.corrections, 2U);
  EXPECT_THAT(figures.corrections_m, testing::ElementsAre(0.4, 0.2));
  ASSERT_EQ(figures.causes.size(), 2U);
  EXPECT_EQ(figures.causes[0].cause, CorrectionCause::InputLost);
  EXPECT_EQ(figures.correction_max_m, 0.4);
}

TEST(ACorrectionMeter, CountsThoseOnFixedGroundSeparately) {
  CorrectionMeter meter;
  PlayerFigures figures;
  meter.note(1'000'000, 0.1, true, {}, figures);
  meter.note(2'000'000, 0.3, false, {}, figures);
  EXPECT_EQ(figures.corrections_static, 1U);
  EXPECT_EQ(figures.correction_static_max_m, 0.1);
}

}  // namespace
}  // namespace perigee::lab
