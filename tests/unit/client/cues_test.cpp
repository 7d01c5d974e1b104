// The own actor's game state and its visible and audible cues: predicted, confirmed, cancelled.
#include "hand_server.hpp"

namespace perigee::client {
namespace {

PlayerInput trigger(bool pulled) {
  PlayerInput input;
  input.held = pulled ? button_fire : 0;
  return input;
}

struct ACue : testing::Test {
  Flight flight{{.weapons = true}};

  const test::Marksman& self() const { return flight.prediction.game_state().as<test::Marksman>(); }
  std::vector<CueNews> frame(const PlayerInput& input = {}) {
    flight.prediction.cues().begin_frame();
    flight.tick(input);
    const auto news = flight.prediction.cues().news();
    std::vector<CueNews> out(news.begin(), news.end());
    flight.prediction.cues().end_frame();
    return out;
  }
  void verdict(const CueNews& on, Verdict verdict, std::uint8_t detail = 0) {
    flight.prediction.cues().on_verdict({on.tick, on.index, verdict, CancelReason::None, detail});
  }
};

// B6b, S4: the cue is played at once
TEST_F(ACue, IsPlayedOnceWhenItsTickIsPredicted) {
  const auto news = frame(trigger(true));
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].effect, test::flash_effect);
  EXPECT_EQ(news[0].tick, flight.prediction.next() - 1);
  EXPECT_EQ(news[0].index, world::first_cue_index);
  EXPECT_EQ(news[0].state, CueState::Played);
  EXPECT_EQ(self().reload_ticks, 12);
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(frame().empty()) << "replayed, not played again";
}

TEST_F(ACue, OfAShotReceivesItsVerdict) {
  const CueNews shot = frame(trigger(true)).at(0);
  verdict(shot, Verdict::Confirmed, test::hit_detail);
  auto news = frame();
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].state, CueState::Confirmed);
  EXPECT_EQ(news[0].detail, test::hit_detail);
  EXPECT_EQ(news[0].effect, test::flash_effect);
  verdict(shot, Verdict::Cancelled);
  news = frame();
  ASSERT_EQ(news.size(), 1U);
  EXPECT_EQ(news[0].state, CueState::Cancelled);
}

// A cue without a verdict is confirmed by the final state that it led to.
TEST_F(ACue, ThatNothingDependsOnIsConfirmedOnceItsTickIsFinal) {
  frame(trigger(true));
  const CueNews click = frame(trigger(true)).at(0);
  EXPECT_EQ(click.effect, test::click_effect);
  std::vector<CueNews> later;
  for (int i = 0; i < flight.ahead_ticks + 2; ++i) {
    for (const CueNews& news : frame()) later.push_back(news);
  }
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].tick, click.tick);
  EXPECT_EQ(later[0].state, CueState::Confirmed);
}

TEST_F(ACue, IsTakenBackIfTheServerKnewBetter) {
  frame(trigger(true));
  for (int i = 0; i < 5; ++i) frame();
  // Another player has killed it meanwhile: its later actions did not happen.
  for (int i = 0; i < 3; ++i) {
    flight.server.events.push_back({.kind = test::hit_news, .tick = flight.server.now()});
  }
  for (int i = 0; i < 7; ++i) frame();
  const auto news = frame(trigger(true));
  EXPECT_TRUE(self().dead());
  EXPECT_TRUE(news.empty()) << "the dead do not shoot";
}

TEST_F(ACue, OfADeadManIsCancelled) {
  for (int i = 0; i < 3; ++i) {
    flight.server.events.push_back({.kind = test::hit_news, .tick = flight.server.now()});
  }
  const auto news = frame(trigger(true));  // the client has not received the hit when it shoots
  ASSERT_EQ(news.size(), 2U);
  EXPECT_EQ(news[0].state, CueState::Played);
  EXPECT_EQ(news[1].state, CueState::Cancelled);
  EXPECT_EQ(news[1].tick, news[0].tick);
}

TEST_F(ACue, IsCancelledByAHardReset) {
  frame(trigger(true));
  OwnSection own = flight.server.own(flight.server.now());
  own.reset_epoch = 9;
  flight.prediction.cues().begin_frame();
  flight.receive(own);
  ASSERT_EQ(flight.prediction.cues().news().size(), 1U);
  EXPECT_EQ(flight.prediction.cues().news()[0].state, CueState::Cancelled);
}

// K43: the state that a weapon depends on is part of the game state
TEST(APredictedGameState, AgreesBitForBitWithTheServers) {
  Flight flight({.weapons = true});
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    PlayerInput input = trigger(random.below(3) == 0);
    input.forward = 127;
    input.yaw = static_cast<std::uint16_t>(random.next());
    flight.tick(input);
    if (i > 60) flight.expect_agreement();
  }
  EXPECT_TRUE(flight.corrections.empty());
}

TEST(APredictedGameState, IsPutRightByTheFinalOne) {
  Flight flight({.weapons = true});
  flight.server.events.push_back({.kind = test::hit_news, .tick = flight.server.now()});
  flight.tick();
  EXPECT_EQ(flight.prediction.game_state().as<test::Marksman>().hits_left, 2);
  for (int i = 0; i < 40; ++i) flight.tick();
  flight.expect_agreement();
}

}  // namespace
}  // namespace perigee::client
