#include "perigee/lab/first_predictions.hpp"

#include <gtest/gtest.h>

namespace perigee::lab {
namespace {

TEST(FirstPredictions, BeginWithTheNewestTickAndContinueWithoutGaps) {
  FirstPredictions first;
  EXPECT_EQ(first.first_new(Tick{100}), Tick{99});
  first.seen_before(Tick{100});
  EXPECT_EQ(first.first_new(Tick{103}), Tick{100});
}

TEST(FirstPredictions, AreTakenOnce) {
  FirstPredictions first;
  first.note(Tick{100}, {.parent = 5});
  EXPECT_FALSE(first.take(Tick{99}));
  const auto taken = first.take(Tick{100});
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->parent, 5U);
  EXPECT_FALSE(first.take(Tick{100}));
}

}  // namespace
}  // namespace perigee::lab
