#include "perigee/worker/ghosts/look_rounds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

std::vector<Handle> numbered(std::size_t count) {
  std::vector<Handle> out(count);
  std::iota(out.begin(), out.end(), Handle{1});
  return out;
}

struct ARound : testing::Test {
  static constexpr std::size_t turns = 12;
  LookRounds rounds;
  std::vector<Handle> all = numbered(100);
  std::set<Handle> seen;

  void turn() {
    if (rounds.over()) rounds.begin(all, turns);
    for (const Handle handle : rounds.take()) seen.insert(handle);
  }
};

TEST_F(ARound, LooksAtEachOnceInSoManyTurns) {
  std::vector<Handle> looked;
  rounds.begin(all, turns);
  std::size_t took = 0;
  for (; !rounds.over(); ++took) {
    for (const Handle handle : rounds.take()) looked.push_back(handle);
  }
  EXPECT_EQ(looked, all);
  EXPECT_LE(took, turns);
}

// Regression: when a round went by indices in the order, removals made it skip other entities.
TEST_F(ARound, PassesNothingOverWhateverGoesAndComes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    seen.clear();
    all = numbered(1 + random.below(300));
    for (std::uint32_t i = random.below(30); i > 0; --i) turn();
    const std::set<Handle> at_first(all.begin(), all.end());
    const LookRounds::Number round = rounds.await_next();
    seen.clear();
    while (!rounds.ended(round)) {
      for (std::uint32_t gone = random.below(4); gone > 0 && !all.empty(); --gone) {
        all.erase(all.begin() + random.below(static_cast<std::uint32_t>(all.size())));
      }
      for (std::uint32_t come = random.below(3); come > 0; --come) {
        all.insert(all.begin() + random.below(static_cast<std::uint32_t>(all.size() + 1)),
                   static_cast<Handle>(1'000 + random.below(1'000'000)));
      }
      turn();
    }
    for (const Handle handle : all) {
      EXPECT_TRUE(seen.contains(handle) || !at_first.contains(handle)) << handle;
    }
  }
}

TEST_F(ARound, BeginsAnewAtOnceIfNobodyWaitsForTheOneThatRuns) {
  turn();
  const LookRounds::Number round = rounds.await_next();
  for (std::size_t i = 0; i < turns; ++i) turn();
  EXPECT_TRUE(rounds.ended(round));
}

TEST_F(ARound, IsNotBrokenOffByWhoComesLater) {
  const LookRounds::Number first = rounds.await_next();
  turn();
  LookRounds::Number second = 0;
  for (std::size_t i = 1; i < turns; ++i) {
    second = rounds.await_next();
    EXPECT_FALSE(rounds.ended(first));
    turn();
  }
  EXPECT_TRUE(rounds.ended(first));
  EXPECT_FALSE(rounds.ended(second));
  for (std::size_t i = 0; i < turns; ++i) turn();
  EXPECT_TRUE(rounds.ended(second));
}

TEST_F(ARound, OfNothingEndsAtOnce) {
  all.clear();
  const LookRounds::Number round = rounds.await_next();
  turn();
  EXPECT_TRUE(rounds.ended(round));
}

}  // namespace
}  // namespace perigee::worker
