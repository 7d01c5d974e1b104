#include "perigee/lab/cause_finder.hpp"

#include <gtest/gtest.h>

#include "unit/worker/yard.hpp"

namespace perigee::lab {
namespace {

struct ACauseFinder : testing::Test {
  test::Yard game;
  client::Client client{game, {}};
  CauseFinder finder{game};
  InputTrace inputs;
};

TEST_F(ACauseFinder, BlamesTheInputForASteeredVehicleIfItWasGuessed) {
  const Displacement moved{.avatar_m = 0.1, .steered_m = 3};
  EXPECT_EQ(finder.find(5, moved, client, inputs).cause, CorrectionCause::Residual);
  inputs.on_tick(client.prediction().base_tick() - 1, 4, true);
  const CauseFound found = finder.find(5, moved, client, inputs);
  EXPECT_EQ(found.cause, CorrectionCause::InputLate);
  EXPECT_EQ(found.meters, 3);
  EXPECT_EQ(found.at_us, 5);
}

TEST_F(ACauseFinder, KnowsNoCauseWithoutTheWorkersTicks) {
  finder.before_receive(client);
  const CauseFound found = finder.find(5, {.avatar_m = 1}, client, inputs);
  EXPECT_EQ(found.cause, CorrectionCause::Unknown);
  EXPECT_EQ(found.meters, 1);
}

TEST_F(ACauseFinder, LeavesCausesAloneWhoseInputNeverCame) {
  std::vector<CauseFound> causes{{.cause = CorrectionCause::InputLost, .since = Tick{10}},
                                 {.cause = CorrectionCause::Residual, .since = Tick{11}}};
  learn_what_came_late(InputTimeline{}, causes);
  EXPECT_EQ(causes[0].cause, CorrectionCause::InputLost);
  EXPECT_EQ(causes[1].cause, CorrectionCause::Residual);
}

}  // namespace
}  // namespace perigee::lab
