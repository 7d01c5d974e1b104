#include "perigee/replication/known_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "perigee/base/hash.hpp"

namespace perigee::replication {
namespace {

TEST(AKnownSet, TellsWhatItHolds) {
  KnownSet set(100);
  EXPECT_FALSE(set.contains(7));
  EXPECT_TRUE(set.add(7));
  EXPECT_FALSE(set.add(7));
  EXPECT_TRUE(set.contains(7));
  EXPECT_TRUE(set.remove(7));
  EXPECT_FALSE(set.remove(7));
  EXPECT_FALSE(set.contains(7));
}

TEST(AKnownSet, AgreesWithAPlainSetAndIsVisitedInOrder) {
  const std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  Random random(seed);
  KnownSet set(300);
  std::set<std::uint32_t> plain;
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t slot = random.below(300);
    if (random.below(2) == 0) {
      ASSERT_EQ(set.add(slot), plain.insert(slot).second);
    } else {
      ASSERT_EQ(set.remove(slot), plain.erase(slot) == 1);
    }
  }
  std::vector<std::uint32_t> visited;
  set.for_each([&](std::uint32_t slot) { visited.push_back(slot); });
  EXPECT_TRUE(std::equal(visited.begin(), visited.end(), plain.begin(), plain.end()));
  EXPECT_EQ(set.size(), plain.size());
}

TEST(AKnownSet, MayBeEmptiedWhileItIsVisited) {
  KnownSet set(200);
  for (std::uint32_t slot = 0; slot < 200; slot += 3) set.add(slot);
  std::size_t visits = 0;
  set.for_each([&](std::uint32_t slot) {
    ++visits;
    set.remove(slot);
  });
  EXPECT_EQ(visits, 67U);
  EXPECT_EQ(set.size(), 0U);
}

TEST(AKnownSet, IsVisitedWhereItIsChosen) {
  KnownSet set(300);
  for (const std::uint32_t slot : {3U, 70U, 71U, 130U, 299U}) set.add(slot);
  std::vector<std::uint32_t> visited;
  const auto odd = [&](std::uint32_t first, std::uint64_t word) {
    EXPECT_EQ(first % 64, 0U);
    for (std::uint32_t i = 0; i < 64 && first + i < 300; ++i) {
      EXPECT_EQ((word >> i & 1U) != 0, set.contains(first + i)) << first + i;
    }
    return word & 0xAAAA'AAAA'AAAA'AAAA;
  };
  set.for_each_chosen(odd, [&](std::uint32_t slot) {
    visited.push_back(slot);
    set.remove(slot);
  });
  EXPECT_EQ(visited, (std::vector<std::uint32_t>{3, 71, 299}));
  EXPECT_EQ(set.size(), 2U);
}

// Slots are granted in turn: each is in the set once, and few are at a time.
TEST(AKnownSet, IsWalkedWhereItHoldsAnything) {
  constexpr std::uint32_t slots_max = 262'144;
  KnownSet set(slots_max);
  for (std::uint32_t slot = 0; slot < slots_max; ++slot) {
    set.add(slot);
    if (slot >= 100) set.remove(slot - 100);
    ASSERT_LE(set.words_in_use(), 3U) << "100 in a row, after " << slot;
  }
  set.add(0);
  std::vector<std::uint32_t> visited;
  set.for_each([&](std::uint32_t slot) { visited.push_back(slot); });
  EXPECT_EQ(visited.size(), set.size());
  EXPECT_EQ(visited.front(), 0U);
  EXPECT_EQ(visited.back(), slots_max - 1);
  for (const std::uint32_t slot : visited) set.remove(slot);
  EXPECT_EQ(set.words_in_use(), 0U);
}

}  // namespace
}  // namespace perigee::replication
