// Faults of each kind, injected on purpose, are attributed to their causes. (metric M9 of the lab;
// V0, K26b)
#include <gtest/gtest.h>

#include "perigee/lab/cell.hpp"
#include "perigee/lab/faults.hpp"

namespace perigee::lab {
namespace {

class AFault : public testing::TestWithParam<CorrectionCause> {};

TEST_P(AFault, IsCalledByItsName) {
  const FaultAnswers answers =
      inject_faults({.cause = GetParam(), .link = *find_link_profile("P2"), .faults = 24});
  EXPECT_GE(answers.seen(), 12U) << "most of them move somebody";
  EXPECT_GE(answers.right(), 0.95);
}

INSTANTIATE_TEST_SUITE_P(OfEachKind, AFault,
                         testing::ValuesIn(injected_causes().begin(), injected_causes().end()),
                         [](const auto& cause) {
                           const auto& row =
                               correction_cause_rows[static_cast<std::size_t>(cause.param)];
                           return std::string(row.name);
                         });

TEST(ACell, AttributesEachOfItsCorrections) {
  const Cell cell = run_cell({.scenario = *find_scenario("L11f"),
                              .preset = *find_preset("perigee"),
                              .link = *find_link_profile("P2"),
                              .players = 4,
                              .seconds = 20,
                              .warm_up_s = 8});
  double sum = 0;
  for (const double rate : cell.causes_per_minute) sum += rate;
  EXPECT_GT(cell.corrections_per_minute, 0);
  EXPECT_NEAR(sum, cell.corrections_per_minute, 1e-9);
  EXPECT_EQ(cell.causes_per_minute[static_cast<std::size_t>(CorrectionCause::Unknown)], 0);
  const auto turned = static_cast<std::size_t>(CorrectionCause::RotatingFrame);
  EXPECT_GT(cell.reported_causes_per_minute[turned], 0.5 * cell.causes_per_minute[turned])
      << "clients find out most of it by themselves";
}

}  // namespace
}  // namespace perigee::lab
