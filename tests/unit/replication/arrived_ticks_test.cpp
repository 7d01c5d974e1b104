#include "perigee/replication/arrived_ticks.hpp"

#include <gtest/gtest.h>

namespace perigee::replication {
namespace {

constexpr Tick first{0xFFFF'FFF0};  // ticks wrap

TEST(ArrivedTicks, AreNoneBeforeTheFirstOne) {
  ArrivedTicks arrived;
  EXPECT_EQ(arrived.note(first, {}), 0U);
  EXPECT_FALSE(arrived.newest());
  EXPECT_FALSE(arrived.contains(first));
}

TEST(ArrivedTicks, AreThoseThatAMaskNames) {
  ArrivedTicks arrived;
  EXPECT_EQ(arrived.note(first + 30, {0b1010}), 2U);
  EXPECT_EQ(arrived.newest(), first + 28) << "the newest complete one";
  for (std::int32_t i = 0; i < 40; ++i) EXPECT_EQ(arrived.contains(first + i), i == 28 || i == 24);
}

TEST(ArrivedTicks, CountOnceInAnyOrder) {
  ArrivedTicks arrived;
  EXPECT_EQ(arrived.note(first + 20, {0b11}), 2U);
  EXPECT_EQ(arrived.note(first + 24, {0b1111}), 2U);
  EXPECT_EQ(arrived.note(first + 20, {0b111}), 1U) << "an acknowledgement that was overtaken";
  EXPECT_EQ(arrived.newest(), first + 24);
  for (std::int32_t i = 16; i <= 24; i += 2) EXPECT_TRUE(arrived.contains(first + i));
  EXPECT_FALSE(arrived.contains(first + 14));
}

TEST(ArrivedTicks, AreForgottenAfterAWhile) {
  ArrivedTicks arrived;
  arrived.note(first, {1});
  arrived.note(first + 254, {1});
  EXPECT_TRUE(arrived.contains(first));
  arrived.note(first + 256, {1});
  EXPECT_FALSE(arrived.contains(first));
  EXPECT_TRUE(arrived.contains(first + 254));
  EXPECT_EQ(arrived.note(first - 2, {1}), 0U);
  EXPECT_EQ(arrived.note(first + 10'000, {1}), 1U);
  EXPECT_FALSE(arrived.contains(first + 256));
}

TEST(ArrivedTicks, AreAnEvenNumberOfTicksApart) {
  ArrivedTicks arrived;
  arrived.note(first, {1});
  EXPECT_EQ(arrived.note(first + 3, {0b11}), 0U);
  EXPECT_EQ(arrived.newest(), first);
}

}  // namespace
}  // namespace perigee::replication
