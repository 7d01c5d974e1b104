#include "perigee/lab/random_stream.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace perigee::lab {
namespace {

TEST(ARandomStream, FollowsFromItsSeed) {
  RandomStream one(7);
  RandomStream same(7);
  RandomStream other(8);
  EXPECT_EQ(one.next(), same.next());
  EXPECT_EQ(one.next(), same.next());
  EXPECT_NE(one.next(), other.next());
}

TEST(ARandomStream, DrawsOnceForEachByte) {
  RandomStream drawn(7);
  RandomStream filled(7);
  std::array<std::byte, 5> bytes{};
  filled.fill(bytes);
  for (const std::byte b : bytes) EXPECT_EQ(b, static_cast<std::byte>(drawn.next()));
  EXPECT_EQ(filled.next(), drawn.next());
}

TEST(ARandomStream, IsSharedByItsFunctions) {
  RandomStream random(7);
  const transport::RandomBytes one = random.bytes();
  const transport::RandomBytes other = random.bytes();
  std::set<std::array<std::byte, 8>> seen;
  for (int i = 0; i < 4; ++i) {
    std::array<std::byte, 8> bytes{};
    i % 2 == 0 ? one(bytes) : other(bytes);
    seen.insert(bytes);
  }
  EXPECT_EQ(seen.size(), 4U);
}

}  // namespace
}  // namespace perigee::lab
