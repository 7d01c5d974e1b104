#include "perigee/replication/known_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "perigee/netcode/hash.hpp"

namespace perigee::replication {
namespace {

TEST(AKnownSet, TellsWhatItHolds) {
  KnownSet set;
  EXPECT_FALSE(set.contains(7));
  EXPECT_TRUE(set.add(7));
  EXPECT_FALSE(set.add(7));
  EXPECT_TRUE(set.contains(7));
  EXPECT_TRUE(set.remove(7));
  EXPECT_FALSE(set.remove(7));
  EXPECT_FALSE(set.contains(7));
}

TEST(AKnownSet, AgreesWithAPlainSetAndStaysSorted) {
  const std::uint64_t seed = 11;
  SCOPED_TRACE(seed);
  Random random(seed);
  KnownSet set;
  std::set<Handle> plain;
  for (int i = 0; i < 5000; ++i) {
    const Handle handle = 1 + random.below(300);
    if (random.below(2) == 0) {
      ASSERT_EQ(set.add(handle), plain.insert(handle).second);
    } else {
      ASSERT_EQ(set.remove(handle), plain.erase(handle) == 1);
    }
  }
  EXPECT_TRUE(std::equal(set.all().begin(), set.all().end(), plain.begin(), plain.end()));
}

TEST(AKnownSet, RefusesMoreThanItsLimit) {
  KnownSet set;
  for (Handle h = 1; h <= KnownSet::known_max; ++h) ASSERT_TRUE(set.add(h));
  EXPECT_FALSE(set.add(KnownSet::known_max + 1));
  EXPECT_TRUE(set.remove(1));
  EXPECT_TRUE(set.add(KnownSet::known_max + 1));
}

}  // namespace
}  // namespace perigee::replication
