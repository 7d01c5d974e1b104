#include "perigee/base/assert.hpp"

#include <gtest/gtest.h>

#include "perigee/base/link_trace.hpp"
#include "perigee/base/ring.hpp"

namespace perigee {
namespace {

// The folder of the machine that built it would tell players and operators nothing, and the same
// crash would look different on each machine.
TEST(AFailedAssertionDeathTest, NamesItsSourceByThePathInTheRepository) {
  EXPECT_DEATH(PERIGEE_ASSERT(1 > 2, "a reason"),
               "^tests/unit/base/assert_test.cpp:[0-9]+: assertion '1 > 2' failed: a reason\n$");
  EXPECT_DEATH(LinkTrace{}.row_at(0), "^base/src/link_trace.cpp:[0-9]+: assertion ");
  FixedVector<int, 1> full;
  EXPECT_DEATH(full.resize(2), "^base/include/perigee/base/ring.hpp:[0-9]+: assertion ");
}

}  // namespace
}  // namespace perigee
