// An arrow at the own avatar: displayed at the predicted tick, decided by the server. (B8)
#include <gtest/gtest.h>

#include "hand_server.hpp"
#include "perigee/client/projectiles.hpp"

namespace perigee::client {
namespace {

constexpr double metre_a_tick_m_s = 60;
constexpr Handle archer = 77;

struct AnArrowAtOneself : testing::Test {
  Flight play;
  Projectiles projectiles{play.store, play.server.game};
  CueLog cues;
  const Tick left = play.server.now();
  PlayerInput input;

  /// From 30 m away, aimed at the avatar's current place; after a second it has dropped past it.
  void loose(double from_z_m = -30) {
    const Vec3 velocity{0, 0, from_z_m < 0 ? metre_a_tick_m_s : -metre_a_tick_m_s};
    projectiles.on_event({archer, left, 8, test::arrow_wish, play.server.deck,
                          to_float({0, 2.1, from_z_m}), to_float(velocity)},
                         {play.server.avatar, play.server.deck, play.view});
    search_hits(false);
  }
  void search_hits(bool again) { projectiles.search_hits(play.prediction, again, 0, cues); }
  void run(int ticks) {
    for (int i = 0; i < ticks; ++i) {
      play.tick(input);
      search_hits(false);
    }
  }
  std::vector<CueState> states() const {
    std::vector<CueState> out;
    for (const CueNews& cue : cues.news()) out.push_back(cue.state);
    return out;
  }
  using States = std::vector<CueState>;
};

TEST_F(AnArrowAtOneself, IsFeltBeforeTheServerKnows) {
  loose();
  for (int i = 0; i < 40 && cues.news().empty(); ++i) run(1);
  ASSERT_EQ(states(), States{CueState::Played});
  const CueNews felt = cues.news()[0];
  EXPECT_TRUE(before(play.server.now(), felt.tick)) << "that tick is still to come there";
  EXPECT_EQ(felt.effect, test::flinch_effect);
  EXPECT_EQ(felt.subject, archer);
  EXPECT_NEAR(ticks_between(left, felt.tick), 29, 1);
  run(20);
  EXPECT_EQ(states(), States{CueState::Played}) << "once, however often it is asked about";
  projectiles.on_hit({archer, left, 8, test::arrow_wish, felt.tick}, 0, cues);
  ASSERT_EQ(states(), (States{CueState::Played, CueState::Confirmed}));
  EXPECT_EQ(cues.news()[1].tick, felt.tick);
  EXPECT_EQ(cues.news()[1].index, felt.index);
}

TEST_F(AnArrowAtOneself, IsNotFeltByWhoStepsAside) {
  loose();
  input.right = 127;
  run(60);
  EXPECT_TRUE(states().empty());
}

TEST_F(AnArrowAtOneself, IsTakenBackIfTheServerSaysNothing) {
  loose();
  run(40);
  ASSERT_EQ(states(), States{CueState::Played});
  const Tick met = cues.news()[0].tick;
  projectiles.settle(met + 45, cues);
  EXPECT_EQ(states(), States{CueState::Played});
  projectiles.settle(met + 46, cues);
  run(5);
  search_hits(true);
  EXPECT_EQ(states(), (States{CueState::Played, CueState::Cancelled}));
}

TEST_F(AnArrowAtOneself, IsTakenBackIfOneWasElsewhere) {
  loose();
  for (int i = 0; i < 40 && cues.news().empty(); ++i) run(1);
  play.server.state.position.x += 3;
  play.tick();
  search_hits(true);
  EXPECT_EQ(states(), (States{CueState::Played, CueState::Cancelled}));
}

TEST_F(AnArrowAtOneself, IsReportedIfItWasNotForeseen) {
  input.right = 127;
  loose();
  run(40);
  projectiles.on_hit({archer, left, 8, test::arrow_wish, left + 29}, 0, cues);
  ASSERT_EQ(states(), States{CueState::Confirmed});
  EXPECT_EQ(cues.news()[0].tick, left + 29);
}

TEST_F(AnArrowAtOneself, IsNotFeltBehindAWall) {
  loose(30);
  run(60);
  EXPECT_TRUE(states().empty());
}

}  // namespace
}  // namespace perigee::client
