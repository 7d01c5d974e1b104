// The cause of a correction, from findings alone.
#include "perigee/client/correction_causes.hpp"

#include "hand_server.hpp"

namespace perigee::client {
namespace {

struct ACause : testing::Test {
  ACause() {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
    own = server.own(server.now());
  }
  CorrectionCause at_once() const {
    return cause_at_once(
        store,
        {.own = own, .parent = parent, .state_differed = state_differed, .predicted = &predicted});
  }
  HandServer server;
  EntityStore store{server.game.types()};
  OwnSection own;
  Handle parent = server.deck;
  bool state_differed = false;
  world::StepRecord predicted{.tick = server.now() - 1};
};

TEST_F(ACause, IsUnknownWithoutAFinding) { EXPECT_EQ(at_once(), CorrectionCause::Unknown); }

TEST_F(ACause, IsTheParentBeforeAllOthers) {
  own.late = 1;
  parent = no_entity;
  EXPECT_EQ(at_once(), CorrectionCause::ParentSwitch);
  EXPECT_EQ(cause_after_replay(at_once(), {.door_differed = true}), CorrectionCause::ParentSwitch);
}

TEST_F(ACause, IsAnInputThatWasLateOrLost) {
  own.guessed = 1;
  state_differed = true;
  EXPECT_EQ(at_once(), CorrectionCause::InputLost);
  own.late = 1;
  EXPECT_EQ(at_once(), CorrectionCause::InputLate);
}

TEST_F(ACause, IsAnObjectWhoseNewestChangeIsNotKnown) {
  own.late = 1;
  own.versions.push_back({server.door, 3});
  EXPECT_EQ(at_once(), CorrectionCause::StaleObject);
}

TEST_F(ACause, IsTheStateOfTheController) {
  state_differed = true;
  EXPECT_EQ(at_once(), CorrectionCause::ControllerState);
}

TEST_F(ACause, IsContactWithAnEntityThatIsKnownBySamplesOnly) {
  predicted.report.contacts.push_back({.id = server.avatar});
  EXPECT_EQ(at_once(), CorrectionCause::HitAnimatedBody);
  predicted.report.contacts.clear();
  predicted.report.contacts.push_back({.id = server.deck});
  EXPECT_EQ(at_once(), CorrectionCause::Unknown);
}

TEST_F(ACause, IsRefinedByTheReplay) {
  using enum CorrectionCause;
  EXPECT_EQ(cause_after_replay(Unknown, {}), Unknown);
  EXPECT_EQ(cause_after_replay(InputLate, {.door_differed = true}), StaleObject);
  EXPECT_EQ(cause_after_replay(InputLate, {.obstacle_missed = true}), NotStreamed);
  EXPECT_EQ(cause_after_replay(ControllerState, {.frame_differed = true}), RotatingFrame);
  EXPECT_EQ(cause_after_replay(InputLost, {.frame_differed = true}), InputLost);
}

}  // namespace
}  // namespace perigee::client
