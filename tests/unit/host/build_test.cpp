#include "perigee/host/build.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace perigee::host {
namespace {

TEST(BuildName, TellsProgramsOfOneVersionApart) {
  EXPECT_THAT(build_name(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+-[0-9a-f]{8}"));
  EXPECT_EQ(build_name(), build_name());
}

}  // namespace
}  // namespace perigee::host
