// The lab's gate: ten cells whose targets hold on every machine, because no time but the virtual
// one passes in them. (metrics M1, M2, M4, M7 of the lab; E1, K8, K41)
#include <gtest/gtest.h>

#include "perigee/lab/cell.hpp"

namespace perigee::lab {
namespace {

struct Target {
  const char* scenario;
  const char* profile;
  double corrections_per_minute;
  double correction_max_m;
  double roughness_p999_m_s;

  friend void PrintTo(const Target& target, std::ostream* out) {
    *out << target.scenario << " on " << target.profile;
  }
};

Cell run(const char* scenario, const char* profile, const char* preset = "perigee") {
  return run_cell({.scenario = *find_scenario(scenario),
                   .preset = *find_preset(preset),
                   .link = *find_link_profile(profile),
                   .players = 4,
                   .seconds = 40,
                   .warm_up_s = 8});
}

class ACell : public testing::TestWithParam<Target> {};

TEST_P(ACell, IsWithinItsTargets) {
  const Target& target = GetParam();
  const Cell cell = run(target.scenario, target.profile);
  EXPECT_TRUE(cell.valid()) << "below the floor of " << cell.below;
  EXPECT_LE(cell.corrections_per_minute, target.corrections_per_minute);
  EXPECT_LE(cell.correction_max_m, target.correction_max_m);
  EXPECT_LE(cell.roughness_p999_m_s, target.roughness_p999_m_s);
  EXPECT_LE(cell.missed_per_minute, 5);
  EXPECT_NEAR(cell.told_corrections_per_minute, cell.corrections_per_minute,
              0.02 * cell.corrections_per_minute + 0.4)
      << "the clients count what the oracle sees, give or take one";
}

INSTANTIATE_TEST_SUITE_P(
    OfTheGate, ACell,
    testing::Values(Target{"L1", "P0", 0, 0, 0.01},  //
                    Target{"L1", "P3", 0.3, 0.10, 0.3}, Target{"L2", "P2", 0.4, 0.10, 0.3},
                    Target{"L3", "P2", 0.3, 0.10, 0.3}, Target{"L4", "P2", 0.3, 0.10, 0.3},
                    Target{"L5", "P2", 0.3, 0.10, 0.3}, Target{"L6", "P2", 0.5, 0.10, 0.3},
                    Target{"L11", "P2", 0.5, 0.10, 0.3}, Target{"L2e", "P3", 1, 0.10, 0.3},
                    Target{"play", "P2", 1, 0.5, 2}),
    [](const auto& cell) {
      return std::string(cell.param.scenario) + "_on_" + cell.param.profile;
    });

TEST(ACellWithoutPlay, IsInvalid) {
  Scenario idle = *find_scenario("L1");
  struct Idler final : client::InputSampler {
    PlayerInput sample(Tick tick) override {
      PlayerInput input;
      input.tick = tick;
      return input;
    }
  };
  idle.pilot = [](const client::Client&, std::uint64_t) { return std::make_unique<Idler>(); };
  const Cell cell = run_cell({.scenario = idle,
                              .preset = presets()[0],
                              .link = *find_link_profile("P1"),
                              .players = 1,
                              .seconds = 5,
                              .warm_up_s = 3});
  EXPECT_EQ(cell.below, "moving_share");
}

TEST(ACellOfTheSamePreset, IsTheSame) {
  const Cell first = run("crowd", "P1");
  const Cell second = run("crowd", "P1");
  for (const CellFigure& figure : cell_figures()) {
    EXPECT_EQ(first.*figure.value, second.*figure.value) << figure.name;
  }
}

// Open loop: whatever a technique shows, it is played the same.
TEST(Scenarios, ArePlayedTheSameByEveryPreset) {
  const Cell ours = run("L1", "P2");
  const Cell blind = run("L1", "P2", "no-prediction");
  EXPECT_EQ(ours.turns_per_minute, blind.turns_per_minute);
  EXPECT_EQ(ours.jumps_per_minute, blind.jumps_per_minute);
  EXPECT_EQ(ours.contacts_per_minute, blind.contacts_per_minute);
  EXPECT_EQ(ours.shown_error_p50_m, 0);
  EXPECT_GT(blind.shown_error_p50_m, 0.5) << "metres behind, at a ping of 100 ms";
}

}  // namespace
}  // namespace perigee::lab
