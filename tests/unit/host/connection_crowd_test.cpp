#include "perigee/host/connection_crowd.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::host {
namespace {

using testing::ElementsAre;
using testing::Optional;

const std::vector<CrowdMember> members{{.id = 1, .source = 10, .calls = 9},
                                       {.id = 2, .source = 20, .calls = 4},
                                       {.id = 3, .source = 20, .calls = 6},
                                       {.id = 4, .source = 20, .calls = 6},
                                       {.id = 5, .source = 30, .calls = 0}};

TEST(ACrowd, LosesTheOldestConnectionOfTheSourceThatHasMost) {
  EXPECT_THAT(most_connected(members), Optional(2U));
  EXPECT_EQ(most_connected({}), std::nullopt);
}

TEST(ACrowd, LosesTheBusiestConnectionOfTheSourceThatCallsMost) {
  EXPECT_THAT(most_calling(members), Optional(3U)) << "of two that are alike the older one";
}

TEST(ACrowd, LetsThoseOfTheQuietestSourcePassFirst) {
  EXPECT_THAT(lightest_first(members, {1, 3, 4, 5, 7}), ElementsAre(5U, 1U, 3U, 4U));
}

TEST(ACrowd, CountsAnIpv6CustomerOnce) {
  Address a{Address::Family::IPv6, 1, {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 7}};
  Address b{Address::Family::IPv6, 2, {0x20, 1, 0xd, 0xb8, 0, 0, 0, 1, 8}};
  EXPECT_EQ(source_of(a), source_of(b));
  b.ip[7] = 2;
  EXPECT_NE(source_of(a), source_of(b));
  EXPECT_NE(source_of(Address::v4(10, 0, 0, 1, 1)), source_of(Address::v4(10, 0, 0, 2, 1)));
  EXPECT_EQ(source_of(Address::v4(10, 0, 0, 1, 1)), source_of(Address::v4(10, 0, 0, 1, 2)));
}

}  // namespace
}  // namespace perigee::host
