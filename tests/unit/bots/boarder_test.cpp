#include "perigee/bots/boarder.hpp"

#include "unit/bots/deck.hpp"

namespace perigee::bots {
namespace {

struct BoarderOnADeck : OnADeck {
  void pass_by(const Vec3& at, const Vec3& velocity) {
    if (store.find(ship) == nullptr) spawn(ship, ship_row, {});
    now = now + Senses::survey_ticks;
    sample(ship, at, velocity);
    look();
    boarder.consider();
  }
  Boarder boarder{{senses, random, activity, look_around}};
};

TEST_F(BoarderOnADeck, WantsToBoardAboutAThirdOfTheShips) {
  int wanted = 0;
  for (int i = 0; i < 300; ++i) {
    pass_by({300, 0, 0}, {-20, 0, 0});
    wanted += boarder.wants();
    pass_by({300, 0, 0}, {20, 0, 0});
    EXPECT_FALSE(boarder.wants()) << "it has passed";
  }
  EXPECT_GT(wanted, 60);
  EXPECT_LT(wanted, 120);
}

TEST_F(BoarderOnADeck, DecidesOncePerShip) {
  pass_by({300, 0, 0}, {-20, 0, 0});
  const bool wants = boarder.wants();
  for (int i = 0; i < 50; ++i) {
    pass_by({300, 0, 0}, {-20, 0, 0});
    EXPECT_EQ(boarder.wants(), wants);
  }
}

TEST_F(BoarderOnADeck, WalksOnDeckOnceItIsAboard) {
  pass_by({300, 0, 0}, {-20, 0, 0});
  boarder.begin();
  EXPECT_EQ(activity.mode(), Mode::Board);
  EXPECT_FALSE(boarder.wants());
  state.flags = actor_jetpack;
  PlayerInput input = input_after(1);
  boarder.board(input);
  EXPECT_EQ(activity.mode(), Mode::Board);
  parent = ship;
  input = input_after(1);
  boarder.board(input);
  EXPECT_EQ(activity.mode(), Mode::Aboard);
}

TEST_F(BoarderOnADeck, FliesHomeIfTheShipIsGone) {
  pass_by({300, 0, 0}, {-20, 0, 0});
  boarder.begin();
  store.despawn(ship);
  PlayerInput input = input_after(1);
  boarder.board(input);
  EXPECT_EQ(activity.mode(), Mode::Home);
}

}  // namespace
}  // namespace perigee::bots
