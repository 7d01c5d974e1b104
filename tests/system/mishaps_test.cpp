// Clusters with mishaps drawn from a seed: workers die and stall, the network between any two is
// cut or slow, clocks are off, the store fails, regions change their owners meanwhile. Afterwards
// each entity exists once, and all players keep playing.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "ordeal.hpp"
#include "sanitized.hpp"

namespace perigee::lab {
namespace {

Lived live_and_tell(std::uint64_t seed, const OrdealPlan& plan) {
  const Lived lived = live_through(seed, plan);
  std::printf("seed %llu: %zu mishaps, %d losses, %d crossings, %.0f s\n",
              static_cast<unsigned long long>(seed), lived.mishaps, lived.losses, lived.crossings,
              static_cast<double>(lived.lived_us) * 1e-6);
  return lived;
}

void live_through_all(std::uint64_t first, std::uint64_t count, const OrdealPlan& plan) {
  if (const char* one = std::getenv("PERIGEE_TEST_SEED")) {
    live_and_tell(std::strtoull(one, nullptr, 10), plan);
    return;
  }
  Lived all;
  const std::uint64_t seeds = long_run() ? 50 * count : seeds_of(count);
  for (std::uint64_t seed = first; seed < first + seeds; ++seed) {
    const Lived one = live_and_tell(seed, plan);
    all.crossings += one.crossings;
    all.failovers += one.failovers;
  }
  EXPECT_GT(all.crossings, 0);
  EXPECT_GT(all.failovers, 0) << "no worker with a successor died";
}

TEST(AClusterToWhichThingsHappen, LosesNothingWhileTheyHappenOneByOne) {
  live_through_all(1, 3, {.apart = true});
}
TEST(AClusterToWhichThingsHappen, DoublesNothingWhenTheyHappenTogether) {
  live_through_all(1001, 3, {});
}
// Regressions: a client forgot its avatar because of a stale worker's stream; a successor counted
// as replicated while it had groups in doubt.
TEST(AClusterToWhichThingsHappen, DoublesNothingInWhatWentWrongBefore) {
  for (const std::uint64_t seed : {1079U, 1128U}) live_and_tell(seed, {});
}
TEST(AClusterToWhichThingsHappen, LosesNothingThoughItsWorkersAreLate) {
  live_through_all(2001, 3, {.apart = true, .late = true});
}

}  // namespace
}  // namespace perigee::lab
