#include "perigee/worker/players/player_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace perigee::worker {
namespace {

std::unique_ptr<Player> player(SessionId session, std::uint64_t client_id, Handle avatar) {
  auto out = std::make_unique<Player>();
  out->session = session;
  out->client_id = client_id;
  out->avatar = avatar;
  return out;
}

std::vector<SessionId> sessions(const PlayerTable& table) {
  std::vector<SessionId> out;
  for (const Player& each : table) out.push_back(each.session);
  return out;
}

TEST(APlayerTable, FindsEachPlayerBySessionClientAndAvatar) {
  PlayerTable table;
  Player& second = table.add(player(20, 7, 200));
  Player& first = table.add(player(10, 8, 100));
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(table.find(10), &first);
  EXPECT_EQ(table.find_client(7), &second);
  EXPECT_EQ(table.find_avatar(200), &second);
  EXPECT_EQ(table.find(11), nullptr);
  EXPECT_EQ(table.find_client(9), nullptr);
  EXPECT_EQ(table.find_avatar(101), nullptr);
  EXPECT_THAT(sessions(table), testing::ElementsAre(10, 20));
}

TEST(APlayerTable, RemovesAPlayerFromEachIndex) {
  PlayerTable table;
  table.add(player(10, 7, 100));
  const auto removed = table.remove(10);
  ASSERT_NE(removed, nullptr);
  EXPECT_EQ(removed->avatar, 100U);
  EXPECT_EQ(table.find(10), nullptr);
  EXPECT_EQ(table.find_client(7), nullptr);
  EXPECT_EQ(table.find_avatar(100), nullptr);
  EXPECT_EQ(table.remove(10), nullptr);
  table.add(player(11, 7, 100));
  EXPECT_EQ(table.size(), 1U);
}

TEST(APlayerTable, KeepsThePlayerWhenItsSessionChanges) {
  PlayerTable table;
  Player& one = table.add(player(10, 7, 100));
  table.add(player(15, 8, 150));
  table.change_session(one, 20);
  EXPECT_EQ(one.session, 20U);
  EXPECT_EQ(table.find(10), nullptr);
  EXPECT_EQ(table.find(20), &one);
  EXPECT_EQ(table.find_client(7), &one);
  EXPECT_EQ(table.find_avatar(100), &one);
  EXPECT_THAT(sessions(table), testing::ElementsAre(15, 20));
}

TEST(APlayerTable, FindsTheLowestOfTwoSessionsOfOneClient) {
  PlayerTable table;
  Player& later = table.add(player(20, 7, 200));
  Player& first = table.add(player(10, 7, 100));
  EXPECT_EQ(table.find_client(7), &first);
  table.remove(10);
  EXPECT_EQ(table.find_client(7), &later);
}

}  // namespace
}  // namespace perigee::worker
