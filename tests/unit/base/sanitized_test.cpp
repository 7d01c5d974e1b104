#include "sanitized.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

// The compilers name it differently. A build that does not notice its sanitizer runs all seeds.
TEST(ASanitizedBuild, IsSeenAsOneByItsSources) { EXPECT_EQ(sanitized, PERIGEE_HAS_SANITIZER); }

TEST(ASanitizedBuild, RunsOneSeedUnlessTheRunIsALongOne) {
  EXPECT_EQ(seeds_of(4), sanitized && !long_run() ? 1U : 4U);
}

}  // namespace
}  // namespace perigee
