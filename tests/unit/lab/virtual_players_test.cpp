#include "perigee/lab/virtual_players.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomeVirtualPlayers : testing::Test, PlayerParts {
  SomeVirtualPlayers() {
    after_frame = [this](VirtualPlayer&) { ++frames; };
    on_way_up = [this](const VirtualPlayer&, LinkSimulator::Fate&) { ++datagrams; };
    start_players();
  }
  int frames = 0, datagrams = 0;
};

TEST_F(SomeVirtualPlayers, ConnectWithinASecondOrTwo) {
  EXPECT_EQ(connected(), 0U);
  run_for(2 * second_us);
  EXPECT_EQ(connected(), 2U);
  EXPECT_NE(players.all()[0].client_id, players.all()[1].client_id);
}

TEST_F(SomeVirtualPlayers, HaveFramesAndClocksOfTheirOwn) {
  run_for(second_us);
  const int before = frames;
  run_for(second_us);
  EXPECT_NEAR(frames - before, 60 + 30, 8);
  EXPECT_GT(datagrams, 0);
  EXPECT_NE(machines.local_us(players.all()[0]), machines.local_us(players.all()[1]));
}

TEST_F(SomeVirtualPlayers, QuitAndLogInAgain) {
  run_for(2 * second_us);
  players.quit(0);
  run_for(second_us);
  EXPECT_EQ(connected(), 1U);
  EXPECT_TRUE(players.log_in(0));
  run_for(second_us);
  EXPECT_EQ(connected(), 2U);
}

TEST_F(SomeVirtualPlayers, ReachNobodyInTheDark) {
  players.all()[0].dark_until_us = queue.now_us() + 3 * second_us;
  run_for(2 * second_us);
  EXPECT_EQ(connected(), 1U);
  run_for(3 * second_us);
  EXPECT_EQ(connected(), 2U);
}

}  // namespace
}  // namespace perigee::lab
