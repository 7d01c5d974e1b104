// The lab's gate: the targets of these cells hold on every machine, because only virtual time
// passes in them. (metrics M1, M2, M4, M7 of the lab; E1, K8, K41)
#include <gtest/gtest.h>

#include "perigee/lab/cell.hpp"
#include "perigee/lab/targets.hpp"

namespace perigee::lab {
namespace {

struct Gate {
  const char* scenario;
  const char* profile;

  friend void PrintTo(const Gate& gate, std::ostream* out) {
    *out << gate.scenario << " on " << gate.profile;
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

class ACell : public testing::TestWithParam<Gate> {};

// M1, M2, M4, M6, M7, M8, M10: all targets that targets.cpp sets for the cell
TEST_P(ACell, IsWithinItsTargets) {
  const Cell cell = run(GetParam().scenario, GetParam().profile);
  EXPECT_TRUE(cell.valid()) << "below the floor of " << cell.below;
  for (const Target* missed : missed_targets(cell)) {
    ADD_FAILURE() << missed->metric << " " << missed->value(cell) << ", target " << missed->most;
  }
  EXPECT_NEAR(cell.reported_corrections_per_minute, cell.corrections_per_minute,
              0.02 * cell.corrections_per_minute + 0.4)
      << "the clients count what the oracle sees, give or take one";
}

INSTANTIATE_TEST_SUITE_P(OfTheGate, ACell,
                         testing::Values(Gate{"L1", "P0"}, Gate{"L1", "P3"}, Gate{"L1", "P12"},
                                         Gate{"L2", "P2"}, Gate{"L2e", "P3"}, Gate{"L3", "P2"},
                                         Gate{"L4", "P2"}, Gate{"L5", "P2"}, Gate{"L6", "P2"},
                                         Gate{"L7", "P2"}, Gate{"L8", "P2"}, Gate{"L8s", "P2"},
                                         Gate{"L8w", "P2"}, Gate{"L8d", "P2"}, Gate{"L10", "P2"},
                                         Gate{"L10c", "P2"}, Gate{"L11", "P2"}, Gate{"L12", "P2"},
                                         Gate{"L13", "P2"}, Gate{"L14", "P2"}, Gate{"L15", "P2"},
                                         Gate{"L15w", "P1"}, Gate{"L16", "P2"}, Gate{"L17", "P2"},
                                         Gate{"play", "P2"}),
                         [](const auto& cell) {
                           return std::string(cell.param.scenario) + "_on_" + cell.param.profile;
                         });

TEST(ATarget, IsMissedByNameAndOnlyByOurPreset) {
  Cell cell{.scenario = "L1", .preset = "perigee", .profile = "P2"};
  EXPECT_TRUE(missed_targets(cell).empty());
  cell.corrections_per_minute = 0.31;
  ASSERT_EQ(missed_targets(cell).size(), 1U);
  EXPECT_EQ(missed_targets(cell)[0]->metric, "M1 corrections per minute");
  cell.profile = "P4";
  EXPECT_TRUE(missed_targets(cell).empty()) << "more is allowed there";
  cell.corrections_per_minute = 60;
  EXPECT_FALSE(missed_targets(cell).empty());
  cell.scenario = "L11f";
  EXPECT_TRUE(missed_targets(cell).empty()) << "no target there";
  cell.scenario = "L1";
  cell.preset = "talk";
  EXPECT_TRUE(missed_targets(cell).empty());
}

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

// E1: the floats of a client with another compiler or processor differ in the seventh digit after
// each frame's steps. Such a client is honest: every final state pulls it back, invisibly.
TEST(AClientWithOtherFloats, IsNotCorrected) {
  const Cell cell = run("L1n", "P2");
  EXPECT_GT(cell.error_p50_m, 0) << "the noise is there";
  EXPECT_LT(cell.error_p999_m, 1e-2);
  EXPECT_EQ(cell.corrections_per_minute, 0);
}

// Open loop: the inputs are the same with every technique.
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
