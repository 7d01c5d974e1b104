#include "perigee/base/track_player.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

constexpr double never = -1e9;  // nothing was rendered yet
constexpr double heard = 1e6;

TrackPlayer::NewTrack track(std::uint32_t tick, const Vec3& position, const Vec3& velocity = {},
                            Handle frame = no_entity) {
  return {{.tick = Tick{tick},
           .curve = TrackCurve::Straight,
           .position = position,
           .velocity = velocity},
          frame,
          Tick{tick},
          0.01};
}
double x_at(const TrackPlayer& player, double ticks) {
  return player.drawn(Tick{0}, ticks, heard).pose.position.x;
}

// B3, with milliseconds as ticks: t = 1000, updates 850: (100,100), 950: (200,150) -> rendered at
// 900: (150,125). The velocities are those of the straight line between them.
TEST(ATrackPlayer, DrawsTheWorkedExampleB3) {
  const Vec3 line = Vec3{100, 50, 0} / (100 * seconds_per_tick);
  TrackPlayer player;
  player.insert(track(850, {100, 100, 0}, line), never);
  player.insert(track(950, {200, 150, 0}, line), never);
  EXPECT_LT(distance(player.drawn(Tick{0}, 900, heard).pose.position, {150, 125, 0}), 1e-9);
}

// K5: latest wins
TEST(ATrackPlayer, DropsWhatIsOverTaken) {
  TrackPlayer player;
  EXPECT_EQ(player.insert(track(10, {}), never), TrackOffer::Stored);
  EXPECT_EQ(player.insert(track(18, {8, 0, 0}), never), TrackOffer::Stored);
  EXPECT_EQ(player.insert(track(14, {6, 0, 0}), never), TrackOffer::TooOld);
  EXPECT_EQ(player.insert(track(18, {9, 0, 0}), never), TrackOffer::Duplicate);
  EXPECT_EQ(player.newest_tick(), Tick{18});
}

// Near observers share finer tracks than far ones: an observer that comes near may get a track that
// began earlier.
TEST(ATrackPlayer, TakesWhatWasSentLast) {
  TrackPlayer player;
  player.insert(track(100, {0, 0, 0}, {6, 0, 0}), never);
  TrackPlayer::NewTrack finer = track(60, {-4.04, 0, 0}, {6, 0, 0});
  finer.sent = Tick{140};
  finer.bound_m = 0.001;
  EXPECT_EQ(player.insert(finer, 130 - 60), TrackOffer::Stored);
  EXPECT_NEAR(x_at(player, 130), 3, 1e-9) << "from what is on the screen";
  EXPECT_NEAR(x_at(player, 200), 9.96, 1e-9);
  EXPECT_EQ(player.insert(track(138, {50, 0, 0}), 131 - 138), TrackOffer::TooOld);
  TrackPlayer::NewTrack at_once = track(60, {-4, 0, 0}, {6, 0, 0});
  at_once.sent = Tick{150};
  EXPECT_EQ(player.insert(at_once, 131 - 60), TrackOffer::Stored) << "of another class";
}

// K6: a track that arrives before its time is rendered from its tick on, and the way to it is a
// curve over the slot before.
TEST(ATrackPlayer, BlendsOverTheSlotBeforeANewTrack) {
  TrackPlayer player;
  player.insert(track(100, {0, 0, 0}, {6, 0, 0}), never);
  player.insert(track(120, {1.8, 0, 0}, {0, 0, 0}), 110 - 120);
  EXPECT_DOUBLE_EQ(x_at(player, 116), 1.6);
  EXPECT_DOUBLE_EQ(x_at(player, 120), 1.8);
  EXPECT_DOUBLE_EQ(x_at(player, 130), 1.8);
  double before = x_at(player, 115);
  for (double ticks = 115; ticks < 121; ticks += 0.05) {
    EXPECT_LT(std::abs(x_at(player, ticks) - before), 0.012);
    before = x_at(player, ticks);
  }
}

// V5: a track of the past is blended in from what is on the screen.
TEST(ATrackPlayer, NeverJumpsToALateTrack) {
  TrackPlayer player;
  player.insert(track(100, {0, 0, 0}, {6, 0, 0}), never);
  const double shown = x_at(player, 140);
  TrackPlayer::NewTrack late = track(120, {2, 0, 0}, {0, 0, 6});
  ASSERT_EQ(player.insert(late, 140 - 120), TrackOffer::Stored);
  EXPECT_NEAR(x_at(player, 140), shown, 1e-9);
  EXPECT_NEAR(x_at(player, 200), 2, 1e-9);
  EXPECT_NEAR(player.drawn(Tick{0}, 200, heard).pose.position.z, 8, 1e-9);
  // a third one in the middle of the blend
  const TrackPlayer::Sample middle = player.drawn(Tick{0}, 142, heard);
  player.insert(track(130, {2, 0, 1}, {0, 0, 0}), 142 - 130);
  EXPECT_LT(distance(player.drawn(Tick{0}, 142, heard).pose.position, middle.pose.position), 1e-9);
}

// A player that respawns elsewhere is not rendered on the way there.
TEST(ATrackPlayer, DrawsNobodyHalfWayBetweenTwoPlaces) {
  TrackPlayer player;
  player.insert(track(60, {0, 0, 0}, {5, 0, 0}), never);
  player.insert(track(64, {300, 0, 0}), never);
  EXPECT_LT(x_at(player, 63.9), 1);
  EXPECT_EQ(x_at(player, 64), 300);
}

// S13: a late input changed a path that had been sent: half a second of running the other way
TEST(ATrackPlayer, GlidesToWhatTheServerHasRewritten) {
  constexpr double speed_m_s = 10;
  TrackPlayer player;
  player.insert(track(100, {0, 0, 0}, {speed_m_s, 0, 0}), never);
  player.insert(track(116, {-16.0 / 6, 0, 0}, {-speed_m_s, 0, 0}), 110 - 116);
  double largest_m = 0;
  constexpr double per_tick = 1.0 / 16;
  double before = x_at(player, 100);
  for (double ticks = 100 + per_tick; ticks < 200; ticks += per_tick) {
    largest_m = std::max(largest_m, std::abs(x_at(player, ticks) - before));
    before = x_at(player, ticks);
  }
  const double fastest_m_s = largest_m / per_tick * default_tick_rate_hz;
  EXPECT_LT(fastest_m_s, speed_m_s + 12.1) << "5.3 m in 67 ms would be 80 m/s";
  EXPECT_NEAR(x_at(player, 200), -100.0 / 6, 1e-9) << "and it gets there";
}

// The end of a fast motion was lost, and is told 24 ticks later: the entity returns from where it
// is drawn. It does not go on first.
TEST(ATrackPlayer, ReturnsFromATrackWhoseEndWasLost) {
  TrackPlayer player;
  player.insert(track(100, {0, 0, 0}, {20, 0, 0}), never);
  const double shown_m = x_at(player, 124);  // 8 m
  player.insert(track(120, {0, 0, 0}), 124 - 120);
  double farthest_m = 0;
  for (double ticks = 124; ticks < 260; ticks += 0.25) {
    farthest_m = std::max(farthest_m, x_at(player, ticks));
  }
  EXPECT_LT(farthest_m, 1.16 * shown_m);
  EXPECT_NEAR(x_at(player, 260), 0, 1e-9);
}

// K7: nothing was heard of the sender: run on, but not for ever.
TEST(ATrackPlayer, ExtrapolatesToItsLimitAndHolds) {
  TrackPlayer player;
  player.insert(track(60, {0, 0, 0}, {6, 0, 0}), never);
  const auto told = player.drawn(Tick{0}, 400, 400);
  EXPECT_FALSE(told.extrapolated);
  EXPECT_NEAR(told.pose.position.x, 34, 1e-9);
  const auto ahead = player.drawn(Tick{0}, 70, 60);
  EXPECT_TRUE(ahead.extrapolated);
  EXPECT_NEAR(ahead.pose.position.x, 1.0, 1e-9);
  const auto held = player.drawn(Tick{0}, 120, 60);
  EXPECT_TRUE(held.held);
  EXPECT_NEAR(held.pose.position.x, 1.5, 1e-9);
  EXPECT_EQ(held.velocity, Vec3{});
}

// K18: positions in two different frames are never blended.
TEST(ATrackPlayer, DoesNotMixFrames) {
  TrackPlayer player;
  player.insert(track(10, {1000, 0, 0}), never);
  player.insert(track(14, {2, 0, 0}, {}, 77), never);
  EXPECT_EQ(player.drawn(Tick{0}, 13, heard).frame, no_entity);
  EXPECT_NEAR(x_at(player, 13), 1000, 1e-9);
  EXPECT_EQ(player.drawn(Tick{0}, 14, heard).frame, 77U);
}

TEST(ATrackPlayer, TurnsOnItsWay) {
  TrackPlayer player;
  player.turn(Tick{90}, Tick{90}, yaw_rotation(1), never);
  EXPECT_TRUE(player.empty());
  player.insert(track(100, {0, 0, 0}, {6, 0, 0}), never);
  player.turn(Tick{120}, Tick{122}, yaw_rotation(1), 110 - 120);
  player.turn(Tick{110}, Tick{114}, yaw_rotation(2), 110 - 110);  // overtaken
  const auto heading = [&](double ticks) {
    return rotation_vector(player.drawn(Tick{0}, ticks, heard).pose.rotation).y;
  };
  EXPECT_NEAR(heading(115), 0, 1e-9);
  EXPECT_NEAR(heading(118), 0.5, 1e-6);
  EXPECT_NEAR(heading(130), 1, 1e-6);
  for (double ticks = 100; ticks < 140; ticks += 0.5) {
    EXPECT_NEAR(x_at(player, ticks), (ticks - 100) / 10, 1e-9) << "it goes on as before";
  }
}

TEST(ATrackPlayer, KeepsTheNewestOfMany) {
  TrackPlayer player;
  for (std::uint32_t t = 0; t < 100; t += 4)
    player.insert(track(t, {t / 60.0, 0, 0}, {1, 0, 0}), never);
  EXPECT_NEAR(x_at(player, 99), 99 / 60.0, 1e-9);
  EXPECT_NEAR(player.newest(Tick{106}).pose.position.x, 106 / 60.0, 1e-9);
}

}  // namespace
}  // namespace perigee
