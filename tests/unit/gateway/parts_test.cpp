#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <memory>

#include "perigee/base/hash.hpp"
#include "perigee/gateway/block_queue.hpp"
#include "perigee/gateway/due_list.hpp"

namespace perigee::gateway {
namespace {

using Bytes = std::vector<std::byte>;

class ABlockQueue : public ::testing::Test {
 protected:
  /// A block with its name in every byte.
  std::uint32_t push(std::uint8_t priority, std::uint8_t name, std::size_t size = 10) {
    return queue.push(name, priority, Bytes(size, std::byte{name}));
  }
  std::vector<int> names() const {
    std::vector<int> out;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const auto bytes = queue.bytes(queue[i]);
      EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(),
                              [&](std::byte b) { return b == std::byte(queue[i].stream); }));
      out.push_back(queue[i].stream);
    }
    return out;
  }
  BlockQueue queue;
};

TEST_F(ABlockQueue, SortsByPriorityThenArrival) {
  push(2, 1);
  push(0, 2);
  push(1, 3);
  push(0, 4);
  push(2, 5);
  EXPECT_EQ(names(), (std::vector{2, 4, 3, 1, 5}));
}

TEST_F(ABlockQueue, DropsTheNewestOfTheLowestPriorityWhenThereAreTooMany) {
  for (std::uint8_t n = 0; n < 16; ++n) EXPECT_EQ(push(n % 2 ? 3 : 1, n), 0u);
  EXPECT_EQ(push(3, 100), 1u);  // drops itself: it is the newest of priority 3
  EXPECT_EQ(push(4, 101), 1u);
  EXPECT_EQ(push(0, 102), 1u);  // drops 15, the newest of priority 3
  EXPECT_EQ(names(), (std::vector{102, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13}));
}

TEST_F(ABlockQueue, BoundsItsBytesToo) {
  for (std::uint8_t n = 0; n < 8; ++n) EXPECT_EQ(push(2, n, 1000), 0u);
  EXPECT_EQ(push(2, 8, 1000), 1u);
  EXPECT_EQ(push(1, 9, 1192), 1u);
  EXPECT_EQ(names(), (std::vector{9, 0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(push(0, 10, 1193), 2u);
}

TEST_F(ABlockQueue, KeepsBytesAndBlocksTogetherUnderRandomUse) {
  const std::uint64_t seed = 5;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  for (int i = 0; i < 5'000; ++i) {
    push(static_cast<std::uint8_t>(random.below(4)), static_cast<std::uint8_t>(random.below(256)),
         1 + random.below(1190));
    names();
    if (random.below(5) == 0) queue.pop(random.below(static_cast<std::uint32_t>(queue.size()) + 1));
  }
}

TEST(ADueList, AgreesWithAListUnderRandomUse) {
  const std::uint64_t seed = 6;
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  DueList due(16);
  std::list<std::uint32_t> model;
  for (int i = 0; i < 5'000; ++i) {
    const std::uint32_t n = random.below(16);
    const bool in = std::find(model.begin(), model.end(), n) != model.end();
    ASSERT_EQ(due.contains(n), in);
    if (random.below(2)) {
      due.push_back(n);
      if (!in) model.push_back(n);
    } else {
      due.remove(n);
      model.remove(n);
    }
    ASSERT_EQ(due.front(), model.empty() ? std::nullopt : std::optional(model.front()));
  }
}

}  // namespace
}  // namespace perigee::gateway
