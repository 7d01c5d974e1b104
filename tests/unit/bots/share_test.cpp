#include "perigee/bots/share.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perigee::bots {
namespace {

TEST(AShare, GivesEveryPlayerToOneThread) {
  for (const std::uint32_t threads : {1U, 2U, 3U, 8U}) {
    for (const std::uint32_t players : {8U, 9U, 100U}) {
      std::set<std::uint32_t> all;
      for (std::uint32_t thread = 0; thread < threads; ++thread) {
        const Share share{thread, threads};
        for (std::uint32_t place = 0; place < share.count(players); ++place) {
          const std::uint32_t player = share.player(place);
          EXPECT_EQ(Share::thread_of(player, threads), thread);
          EXPECT_EQ(share.place(player), place);
          all.insert(player);
        }
      }
      EXPECT_EQ(all.size(), players);
      EXPECT_EQ(*all.rbegin(), players - 1);
    }
  }
}

TEST(AShare, DiffersByOnePlayerAtMost) {
  for (std::uint32_t thread = 0; thread < 3; ++thread) {
    EXPECT_GE((Share{thread, 3}.count(100)), 33U);
    EXPECT_LE((Share{thread, 3}.count(100)), 34U);
  }
}

}  // namespace
}  // namespace perigee::bots
