#include "log_ins.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::bots {
namespace {

TEST(PlayersInRooms, HaveIdsOfTheirOwn) {
  std::set<std::uint64_t> ids;
  std::size_t odd = 0;
  for (std::uint32_t player = 0; player < 1'000; ++player) {
    const std::uint64_t id = player_id_of(7, player);
    ids.insert(id);
    if (id % 2 == 1) ++odd;
    EXPECT_EQ(id, player_id_of(7, player)) << "the same run again";
  }
  EXPECT_EQ(ids.size(), 1'000U);
  EXPECT_FALSE(ids.contains(0)) << "a player without an account";
  EXPECT_NEAR(static_cast<double>(odd), 500, 80) << "a game may make teams by the id";
  EXPECT_NE(player_id_of(8, 0), player_id_of(7, 0));
}

}  // namespace
}  // namespace perigee::bots
