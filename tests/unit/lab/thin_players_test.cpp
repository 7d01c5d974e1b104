#include "perigee/lab/thin_players.hpp"

#include <gtest/gtest.h>

#include "unit/lab/lab_parts.hpp"

namespace perigee::lab {
namespace {

struct SomeThinPlayers : testing::Test, PlayerParts {
  SomeThinPlayers() { options.thin_players = 2; }
  void start_all() {
    start_players();
    thin_players.start();
  }
};

TEST_F(SomeThinPlayers, ConnectBesideFullPlayers) {
  start_all();
  EXPECT_EQ(connected(), 0U);
  run_for(2 * second_us);
  EXPECT_EQ(connected(), 4U);
  for (const ThinPlayer& player : thin_players.all()) EXPECT_TRUE(player.client->connected());
}

TEST_F(SomeThinPlayers, HaveMachinesNumberedAfterThoseOfFullPlayers) {
  start_all();
  run_for(2 * second_us);
  for (std::uint32_t i = 0; i < 2; ++i) {
    const ThinPlayer& player = thin_players.all()[i];
    EXPECT_EQ(player.number, 2 + i);
    EXPECT_EQ(PlayerMachines::number_at(player.address), 2 + i);
    for (const VirtualPlayer& full : players.all()) EXPECT_NE(player.address, full.address);
  }
}

TEST_F(SomeThinPlayers, ChangeNoDrawOfFullPlayers) {
  start_players();
  const double rate = players.all()[1].clock_rate;
  const Micros hitch_us = players.all()[1].next_hitch_us;
  const std::uint64_t next = random.next();
  SomeThinPlayers::PlayerParts others;
  others.options.thin_players = 100;
  others.start_players();
  others.thin_players.start();
  EXPECT_EQ(others.players.all()[1].clock_rate, rate);
  EXPECT_EQ(others.players.all()[1].next_hitch_us, hitch_us);
  EXPECT_EQ(others.random.next(), next);
}

TEST_F(SomeThinPlayers, LogInAgainIfTheyAreToContinue) {
  options.keeps_logged_in = true;
  start_all();
  run_for(2 * second_us);
  gateway.stop();
  run_for(20 * second_us);
  EXPECT_FALSE(thin_players.all()[0].client->connected());
  gateway.start();
  gateway.on_map(directory.map());
  run_for(20 * second_us);
  EXPECT_EQ(connected(), 4U);
}

}  // namespace
}  // namespace perigee::lab
