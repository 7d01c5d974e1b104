#include "perigee/base/snapshot_ring.hpp"

#include <gtest/gtest.h>

#include <map>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

Snapshot at(std::uint32_t tick, Vec3 position, Vec3 velocity = {}) {
  return {Tick{tick}, no_entity, {position, {}}, velocity};
}

// B3, with milliseconds as ticks: t = 1000, updates 850: (100,100), 950: (200,150) -> rendered at
// 900: (150,125). The velocities are those of the straight line between them.
TEST(ASnapshotRing, DrawsTheWorkedExampleB3) {
  SnapshotRing ring;
  const Vec3 line = Vec3{100, 50, 0} / (100 * seconds_per_tick);
  ring.insert(at(850, {100, 100, 0}, line));
  ring.insert(at(950, {200, 150, 0}, line));
  const auto drawn = ring.sample(Tick{0}, 900, 15);
  EXPECT_NEAR(drawn.pose.position.x, 150, 1e-9);
  EXPECT_NEAR(drawn.pose.position.y, 125, 1e-9);
  EXPECT_FALSE(drawn.extrapolated);
}

// K5, K6: latest wins, late ones inside the window are sorted in, duplicates are dropped.
TEST(ASnapshotRing, SortsLateSamplesIntoPlace) {
  SnapshotRing ring;
  ring.insert(at(10, {0, 0, 0}));
  ring.insert(at(18, {8, 0, 0}));
  EXPECT_EQ(ring.insert(at(14, {6, 0, 0})), SnapshotOffer::Stored);
  EXPECT_EQ(ring.insert(at(14, {6, 0, 0})), SnapshotOffer::Duplicate);
  EXPECT_NEAR(ring.sample(Tick{0}, 14, 15).pose.position.x, 6, 1e-9);
  EXPECT_EQ(ring.newest().tick, Tick{18});
}

TEST(ASnapshotRing, DropsWhatIsOlderThanAllOfAFullWindow) {
  SnapshotRing ring;
  for (std::uint32_t t = 100; t < 100 + SnapshotRing::capacity; ++t) ring.insert(at(t, {}));
  EXPECT_EQ(ring.insert(at(99, {})), SnapshotOffer::TooOld);
}

// A player that respawns elsewhere is not rendered on the way there.
TEST(ASnapshotRing, DrawsNobodyHalfWayBetweenTwoPlaces) {
  SnapshotRing ring;
  ring.insert(at(60, {0, 0, 0}, {5, 0, 0}));
  ring.insert(at(64, {300, 0, 0}));
  ring.insert(at(68, {300, 0, 1}, {0, 0, 15}));
  EXPECT_EQ(ring.sample(Tick{0}, 63.9, 15).pose.position.x, 0);
  EXPECT_EQ(ring.sample(Tick{0}, 64, 15).pose.position.x, 300);
  EXPECT_GT(ring.sample(Tick{0}, 66, 15).pose.position.z, 0);
}

// S13: a late input changed a path that had been sent: half a second of running the other way
TEST(ASnapshotRing, GlidesToWhatTheServerHasRewritten) {
  constexpr double speed_m_s = 10;
  constexpr double metre_a_tick = speed_m_s / default_tick_rate_hz;
  SnapshotRing ring;
  for (std::uint32_t t = 0; t <= 12; t += 4) {
    ring.insert(at(100 + t, {t * metre_a_tick, 0, 0}, {speed_m_s, 0, 0}));
  }
  for (std::uint32_t t = 16; t <= 56; t += 4) {
    ring.insert(at(100 + t, {-(t * metre_a_tick), 0, 0}, {-speed_m_s, 0, 0}));
  }
  constexpr double per_tick = 1.0 / 16;
  double largest_m = 0;
  double before = ring.drawn(Tick{100}, 0, 15).pose.position.x;
  for (double ticks = per_tick; ticks < 70; ticks += per_tick) {
    const double x = ring.drawn(Tick{100}, ticks, 15).pose.position.x;
    largest_m = std::max(largest_m, std::abs(x - before));
    before = x;
  }
  const double fastest_m_s = largest_m / per_tick * default_tick_rate_hz;
  EXPECT_LT(fastest_m_s, speed_m_s + 12.1) << "4.5 m in 67 ms would be 70 m/s";
  EXPECT_EQ(ring.drawn(Tick{100}, 60, 15).pose.position,
            ring.sample(Tick{100}, 60, 15).pose.position)
      << "and it gets there";
}

// Ordinary motions of players: jump, land, run into walls, push off
TEST(ASnapshotRing, TakesNoMotionForARewrite) {
  SnapshotRing ring;
  ring.insert(at(100, {0, 0, 0}, {10, 0, 0}));
  ring.insert(at(104, {0, 0, 0}, {0, 0, 0}));         // stops at a wall
  ring.insert(at(108, {0, 5.0 / 15, 0}, {0, 5, 0}));  // jumps
  ring.insert(at(112, {0, 5.0 / 15, 0}, {0, -5, 0}));
  for (double ticks = 0; ticks < 20; ticks += 0.5) {
    EXPECT_EQ(ring.drawn(Tick{100}, ticks, 15).pose.position,
              ring.sample(Tick{100}, ticks, 15).pose.position);
  }
}

// K7: with too few samples, extrapolate, but not for ever.
TEST(ASnapshotRing, ExtrapolatesToItsLimitAndHolds) {
  SnapshotRing ring;
  ring.insert(at(60, {0, 0, 0}, {6, 0, 0}));
  const auto ahead = ring.sample(Tick{0}, 70, 15);
  EXPECT_TRUE(ahead.extrapolated);
  EXPECT_NEAR(ahead.pose.position.x, 1.0, 1e-9);
  const auto held = ring.sample(Tick{0}, 120, 15);
  EXPECT_TRUE(held.held);
  EXPECT_NEAR(held.pose.position.x, 1.5, 1e-9);
  EXPECT_EQ(held.velocity, Vec3{});
}

// K18: positions in two different frames are never blended.
TEST(ASnapshotRing, DoesNotMixFrames) {
  SnapshotRing ring;
  ring.insert(at(10, {1000, 0, 0}));
  Snapshot aboard = at(14, {2, 0, 0});
  aboard.frame = 77;
  ring.insert(aboard);
  EXPECT_EQ(ring.sample(Tick{0}, 13, 15).frame, no_entity);
  EXPECT_NEAR(ring.sample(Tick{0}, 13, 15).pose.position.x, 1000, 1e-9);
  EXPECT_EQ(ring.sample(Tick{0}, 14, 15).frame, 77U);
}

/// Share of the frames that had to extrapolate, in ten minutes at 60 Hz, with a packet every
/// `interval_ticks`; some packets are lost and the others up to two frames late.
double short_of_data(std::uint32_t interval_ticks, double loss, double delay_ms) {
  constexpr double late_ticks_max = 2;
  Random random(0xf1ed);
  std::multimap<double, Snapshot> arrivals;
  for (std::uint32_t tick = 0; tick < 36'000; tick += interval_ticks) {
    if (random.unit() >= loss)
      arrivals.emplace(tick + late_ticks_max * random.unit(), at(tick, {}));
  }
  SnapshotRing ring;
  int frames = 0;
  int extrapolated = 0;
  auto next = arrivals.begin();
  for (std::uint32_t now = 60; now < 35'900; ++now) {
    for (; next != arrivals.end() && next->first <= now; ++next) ring.insert(next->second);
    extrapolated += ring.sample(Tick{0}, now - delay_ms * 0.06, 15).extrapolated;
    ++frames;
  }
  return static_cast<double>(extrapolated) / frames;
}

// The rule of a well-known article (G. Fiedler, "Snapshot interpolation", Gaffer on Games 2014):
// 350, 150 and 85 ms hide two lost packets in a row and the jitter at 10, 30 and 60 packets per
// second. One interval less hides one lost packet. (V5, K6)
TEST(ASnapshotRing, NeedsTheKnownDelaysAt10And30And60PacketsPerSecond) {
  struct Row {
    std::uint32_t interval_ticks;
    double delay_ms;
  };
  for (const Row& row : {Row{6, 350}, Row{2, 150}, Row{1, 85}}) {
    SCOPED_TRACE(row.delay_ms);
    const double interval_ms = row.interval_ticks * 1000.0 / 60;
    for (const double loss : {0.02, 0.05}) {
      const double three_lost = loss * loss * loss;
      EXPECT_LE(short_of_data(row.interval_ticks, loss, row.delay_ms), 3 * three_lost);
    }
    const double two_lost = 0.05 * 0.05;
    EXPECT_GT(short_of_data(row.interval_ticks, 0.05, row.delay_ms - interval_ms - 20),
              two_lost / 4);
  }
}

TEST(ASnapshotRing, TellsHowOftenItIsRefreshed) {
  SnapshotRing ring;
  for (std::uint32_t t = 0; t < 60; t += 12) ring.insert(at(t, {}));
  EXPECT_DOUBLE_EQ(ring.interval_ticks(), 12);
}

}  // namespace
}  // namespace perigee
