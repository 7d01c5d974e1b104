// When a silent worker is suspected. (R1)
#include "perigee/worker/failover/failure_detector.hpp"

#include <gtest/gtest.h>

namespace perigee::worker {
namespace {

FailureDetector detector_with(std::int32_t gap_ticks, int messages) {
  FailureDetector detector;
  for (int i = 0; i < messages; ++i) detector.note_gap(gap_ticks);
  return detector;
}

TEST(AFailureDetector, SuspectsAPeerThatSendsEachTickAfterTheLowerBound) {
  EXPECT_EQ(FailureDetector().stall_ticks(), FailureDetector::stall_ticks_min);
  EXPECT_EQ(detector_with(1, 1000).stall_ticks(), FailureDetector::stall_ticks_min);
}

TEST(AFailureDetector, WaitsOneAndAHalfTimesTheGapsThatAreUsual) {
  EXPECT_EQ(detector_with(7, 1000).stall_ticks(), 12) << "1.5 * 8, the upper end of the bin";
}

TEST(AFailureDetector, NeverWaitsLongerThanTheUpperBound) {
  EXPECT_EQ(detector_with(1000, 1000).stall_ticks(), FailureDetector::stall_ticks_max);
  EXPECT_EQ(detector_with(-5, 1000).stall_ticks(), FailureDetector::stall_ticks_min);
}

TEST(AFailureDetector, IgnoresOneLongGapInAThousand) {
  FailureDetector detector = detector_with(1, 999);
  detector.note_gap(40);
  EXPECT_EQ(detector.stall_ticks(), FailureDetector::stall_ticks_min);
  for (int i = 0; i < 9; ++i) detector.note_gap(40);
  EXPECT_EQ(detector.stall_ticks(), FailureDetector::stall_ticks_max) << "ten are usual";
}

TEST(AFailureDetector, ForgetsLongGapsWithinMinutes) {
  FailureDetector detector = detector_with(40, 36);
  for (int minute = 0; minute < 10; ++minute) {
    for (int i = 0; i < 3600; ++i) detector.note_gap(1);
  }
  EXPECT_EQ(detector.stall_ticks(), FailureDetector::stall_ticks_min);
}

}  // namespace
}  // namespace perigee::worker
