#include "perigee/host/refusal_limit.hpp"

#include <gtest/gtest.h>

namespace perigee::host {
namespace {

constexpr auto burst = static_cast<std::uint64_t>(RefusalLimit::burst);

TEST(ARefusalLimit, LetsABurstPassThenOneAPeriodThatSaysHowManyWereLeftOut) {
  RefusalLimit limit;
  Micros now_us = 5'000'000;
  for (std::uint64_t i = 0; i < burst; ++i) EXPECT_EQ(limit.take("eve", now_us), 0U);
  for (int i = 0; i < 1'000; ++i) EXPECT_EQ(limit.take("eve", now_us), std::nullopt);
  now_us += RefusalLimit::period_us;
  EXPECT_EQ(limit.take("eve", now_us), 1'000U);
  EXPECT_EQ(limit.take("eve", now_us), std::nullopt);
  EXPECT_EQ(limit.take_left_out("eve"), 1U);
  EXPECT_EQ(limit.take_left_out("eve"), 0U);
  now_us += 100 * RefusalLimit::period_us;
  for (std::uint64_t i = 0; i < burst; ++i) EXPECT_EQ(limit.take("eve", now_us), 0U);
  EXPECT_EQ(limit.take("eve", now_us), std::nullopt) << "silence earns no larger burst";
}

TEST(ARefusalLimit, TakesNothingFromOtherCallers) {
  RefusalLimit limit;
  while (limit.take("eve", 0)) {
  }
  EXPECT_EQ(limit.take("bob", 0), 0U);
  EXPECT_EQ(limit.take_left_out("bob"), 0U);
}

TEST(ARefusalLimit, LetsManyCallersShareOneAllowanceUntilOthersAreSilent) {
  RefusalLimit limit;
  const auto name = [](std::size_t i) { return "caller " + std::to_string(i); };
  std::uint64_t written = 0;
  for (int times = 0; times < 100; ++times) {
    for (std::size_t i = 0; i < 10 * RefusalLimit::callers_max; ++i) {
      written += limit.take(name(i), 0) ? 1U : 0U;
    }
  }
  EXPECT_EQ(written, (RefusalLimit::callers_max + 1) * burst);
  EXPECT_EQ(limit.take("late", 0), std::nullopt);
  EXPECT_EQ(limit.take("late", RefusalLimit::burst * RefusalLimit::period_us), 0U);
}

}  // namespace
}  // namespace perigee::host
