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

}  // namespace
}  // namespace perigee::host
