#include <gtest/gtest.h>

#include "perigee/transport/server_settings.hpp"
#include "perigee/transport/work_limits.hpp"

namespace perigee::transport {
namespace {

struct TheWorkOfHandshakes : testing::Test {
  static TokenNonce nonce(std::uint32_t n) {
    TokenNonce nonce{};
    nonce[0] = static_cast<std::byte>(n);
    nonce[1] = static_cast<std::byte>(n >> 8);
    return nonce;
  }
  WorkLimits limits{3};
  Micros now_us = 1'000'000;
  Address from = Address::v4(192, 168, 1, 1, 5000);
};

TEST_F(TheWorkOfHandshakes, IsLimitedByNonce) {
  for (std::uint32_t i = 0; i < work_per_nonce_burst; ++i) {
    EXPECT_FALSE(limits.charge_request(now_us, from, nonce(1)));
  }
  EXPECT_EQ(limits.charge_request(now_us, from, nonce(1)), Drop::RequestNonceOverRate);
  EXPECT_FALSE(limits.charge_request(now_us, from, nonce(2)));
  now_us += 1'000'000 / work_per_nonce_per_s;
  EXPECT_FALSE(limits.charge_request(now_us, from, nonce(1)));
}

TEST_F(TheWorkOfHandshakes, IsLimitedBySourceForRequestsAndResponsesTogether) {
  for (std::uint32_t i = 0; i < work_per_source_burst / 2; ++i) {
    EXPECT_FALSE(limits.charge_response(now_us, from));
    EXPECT_FALSE(limits.charge_request(now_us, from, nonce(i)));
  }
  from.port = 5001;
  EXPECT_EQ(limits.charge_response(now_us, from), Drop::SourceOverRate) << "ports do not count";
  EXPECT_FALSE(limits.charge_response(now_us, Address::v4(192, 168, 1, 2, 5000)));
}

TEST_F(TheWorkOfHandshakes, IsLimitedForA64OfIPv6) {
  from.family = Address::Family::IPv6;
  for (std::uint32_t i = 0; i < work_per_source_burst; ++i) {
    from.ip[15] = static_cast<std::uint8_t>(i);
    from.ip[8] = static_cast<std::uint8_t>(i >> 8);
    EXPECT_FALSE(limits.charge_response(now_us, from));
  }
  EXPECT_EQ(limits.charge_response(now_us, from), Drop::SourceOverRate);
  from.ip[7] ^= 1;
  EXPECT_FALSE(limits.charge_response(now_us, from));
}

}  // namespace
}  // namespace perigee::transport
