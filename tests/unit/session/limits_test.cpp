#include <gtest/gtest.h>

#include "perigee/session/log_in_limits.hpp"

namespace perigee::session {
namespace {

TEST(LogInLimits, TakeAnIpv6CustomerForOne) {
  LogInLimits limits({.address = {60, 2}, .name = {60, 100}, .all = {600, 100}}, 1);
  Address source{Address::Family::IPv6, 1, {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1}};
  for (std::uint8_t host = 0; host < 2; ++host) {
    source.ip[15] = host;
    EXPECT_FALSE(limits.take(0, source, "a"));
  }
  source.ip[15] = 9;
  ASSERT_TRUE(limits.take(0, source, "a"));
  EXPECT_EQ(limits.take(0, source, "a")->limit, LogInLimit::Address);
  source.ip[7] = 2;
  EXPECT_FALSE(limits.take(0, source, "a"));
}

TEST(LogInLimits, HoldForAllTogether) {
  LogInLimits limits({.address = {60, 9}, .name = {60, 9}, .all = {600, 4}}, 1);
  for (std::uint8_t i = 0; i < 4; ++i) {
    EXPECT_FALSE(
        limits.take(0, Address::v4(10, 0, 0, i, 1), std::string(1, static_cast<char>('a' + i))));
  }
  const auto refused = limits.take(0, Address::v4(10, 0, 0, 9, 1), "z");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->limit, LogInLimit::All);
  EXPECT_EQ(refused->retry_after_us, 100'000);
}

}  // namespace
}  // namespace perigee::session
