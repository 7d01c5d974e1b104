#include "perigee/replication/handle_index.hpp"

#include <gtest/gtest.h>

#include <map>

#include "perigee/base/hash.hpp"

namespace perigee::replication {
namespace {

// A small full table, so that many entries are not at their preferred places.
TEST(AHandleIndex, KnowsWhatWasAddedAndNotRemoved) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    HandleIndex index(64);
    std::map<Handle, std::uint32_t> known;
    const auto any_handle = [&] { return random.below(3) * (1U << 20) + 1 + random.below(60); };
    for (std::uint32_t step = 0; step < 5'000; ++step) {
      const Handle handle = any_handle();
      if (known.erase(handle) == 1) {
        index.remove(handle);
      } else if (known.size() < 64) {
        index.add(handle, step);
        known[handle] = step;
      }
      ASSERT_EQ(index.size(), known.size());
      const Handle asked = any_handle();
      const auto found = known.find(asked);
      ASSERT_EQ(index.find(asked), found == known.end() ? HandleIndex::none : found->second)
          << "seed " << seed << ", step " << step;
    }
    for (const auto& [handle, slot] : known) EXPECT_EQ(index.find(handle), slot);
  }
}

TEST(AHandleIndex, HasNobodyUnderNoHandle) {
  HandleIndex index(4);
  EXPECT_EQ(index.find(no_entity), HandleIndex::none);
  index.add(1, 7);
  EXPECT_EQ(index.find(no_entity), HandleIndex::none);
  EXPECT_EQ(index.find(1), 7U);
}

}  // namespace
}  // namespace perigee::replication
