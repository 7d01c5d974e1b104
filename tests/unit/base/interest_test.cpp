#include "perigee/base/interest.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

// K3, K4: for every class and distance, no gap is longer than its ring's period.
TEST(Interest, KeepsEveryRingsPeriodForEveryPhaseClass) {
  const InterestRings rings;
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    for (const double d : {1.0, 20.0, 80.0, 80.1, 300.0, 500.0, 800.0, 801.0, 3000.0}) {
      const std::int32_t period = period_ticks_at(rings, d);
      std::uint32_t last = 0;
      std::uint32_t updates = 0;
      for (std::uint32_t slot = 1; slot <= 600; ++slot) {
        if (d > due_radius_m(rings, slot, h)) continue;
        EXPECT_LE((slot - last) * send_slot_ticks, static_cast<std::uint32_t>(period));
        last = slot;
        ++updates;
      }
      // 3 and 5 do not divide each other, so the 12-tick ring is also due with the 20-tick one: 7
      // of 15 slots instead of 5. This is the price of a single compare per candidate.
      const std::uint32_t wanted = 600U * send_slot_ticks / static_cast<std::uint32_t>(period);
      EXPECT_EQ(updates, period == 12 ? wanted * 7 / 5 : wanted);
    }
  }
}

// The talk's own figures hold: 20 m every 4 frames, 3 km every 60. (K4)
TEST(Interest, HoldsTheTalksRates) {
  const InterestRings rings;
  EXPECT_EQ(period_ticks_at(rings, 20), 4);
  EXPECT_EQ(period_ticks_at(rings, 3000), 60);
  EXPECT_EQ(period_ticks_at(rings, 3001), 0);
}

TEST(Interest, HasTheNearLaneInTheSecondRingAndEndsWithTheLast) {
  EXPECT_EQ(near_lane_m, 300);
  EXPECT_EQ(interest_radius_m, 3000);
  EXPECT_EQ(period_ticks_at({}, interest_radius_m), InterestRings::period_ticks.back());
}

TEST(Interest, SpreadsEntitiesOverTheClasses) {
  std::array<int, phase_classes> count{};
  for (std::uint64_t id = 0; id < 15000; ++id) ++count[phase_class(id)];
  for (const int n : count) EXPECT_NEAR(n, 1000, 150);
}

}  // namespace
}  // namespace perigee
