#include "perigee/host/process.hpp"

#include <gtest/gtest.h>

namespace perigee::host {
namespace {

TEST(PartsOf, IsWhatStandsBetweenTheCommas) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(parts_of("a:1"), Parts{"a:1"});
  EXPECT_EQ(parts_of("a:1,b:2,[::1]:3"), (Parts{"a:1", "b:2", "[::1]:3"}));
  EXPECT_EQ(parts_of(",a:1,,b:2,"), (Parts{"a:1", "b:2"}));
  EXPECT_EQ(parts_of(","), Parts{});
  EXPECT_EQ(parts_of(""), Parts{});
}

TEST(TheDirectorysAddress, IsThisMachinesUnlessThereIsAnother) {
  EXPECT_EQ(directory_target({}), "127.0.0.1:40011");
  EXPECT_EQ(directory_target({.directory = ","}), "127.0.0.1:40011");
  EXPECT_EQ(directory_target({.directory = "a:1,b:2"}), "a:1,b:2");
}

TEST(APortWithoutCertificates, IsOnLoopbackOrInAPrivateNetwork) {
  for (const char* loopback : {"127.0.0.1:1", "127.9.9.9:1", "[::1]:1"}) {
    EXPECT_TRUE(check_network("gRPC", parse_address(loopback).value(), false)) << loopback;
  }
  for (const char* other : {"0.0.0.0:1", "10.0.0.1:1", "[::]:1", "[::2]:1", "[fe80::1]:1"}) {
    EXPECT_FALSE(check_network("gRPC", parse_address(other).value(), false)) << other;
    EXPECT_TRUE(check_network("gRPC", parse_address(other).value(), true)) << other;
  }
}

}  // namespace
}  // namespace perigee::host
