#include "perigee/replication/track_table.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sky.hpp"

namespace perigee::replication {
namespace {

constexpr double s = seconds_per_tick;

/// A body on a known way, and the table that follows it.
struct AWay : testing::Test {
  TrackTable table{4};
  std::function<Vec3(double)> place;  ///< by time, s
  TrackTable::PastOf past = [this](Handle, Tick tick, Handle) {
    return std::optional(PastMotion{place(tick.count * s), velocity(tick.count * s), {}, {}});
  };
  /// As the integrators have it: the velocity of the step that led here.
  Vec3 velocity(double at_s) const { return (place(at_s) - place(at_s - s)) / s; }
  Published at(Tick tick) const {
    Published out = thing(5, place(tick.count * s));
    out.world_velocity = out.velocity = velocity(tick.count * s);
    out.radius_m = 1;
    return out;
  }
  /// Looks at it every 4 ticks for a minute. Returns the number of tracks.
  std::uint64_t follow(Precision precision) {
    const std::uint64_t before = table.encoded();
    for (Tick tick{1000}; tick.count < 4600; tick = tick + 4) {
      table.begin(tick);
      const Published entity = at(tick);
      const SharedTrack& track = table.current(0, precision, entity, past);
      EXPECT_LE(error_of(track, entity, tick), bound_m(precision));
    }
    return table.encoded() - before;
  }
};

TEST_F(AWay, ThatIsStraightNeedsOneTrack) {
  place = [](double t) { return Vec3{-7, 2, 3.1} * t; };
  EXPECT_LE(follow(Precision::Finest), 12U) << "its velocity is rounded";
}

TEST_F(AWay, ThatFallsNeedsFewTracks) {
  place = [](double t) { return Vec3{3 * t, -0.5 * 9.81 * t * t + 400 * t, 0} * 0.1; };
  const std::uint64_t parabolas = follow(Precision::Fine);
  EXPECT_EQ(table.shared(0, Precision::Fine).track.curve, TrackCurve::Parabola);
  past = nullptr;
  EXPECT_LT(parabolas * 4, follow(Precision::Fine)) << "straight tracks do worse";
}

// The carousel of decision 0073: a circle says more than a parabola.
TEST_F(AWay, ThatIsACircleNeedsFewTracks) {
  place = [](double t) { return Vec3{20 * std::cos(t / 2), 5, 20 * std::sin(t / 2)}; };
  EXPECT_LE(follow(Precision::Finest), 60U);
  EXPECT_EQ(table.shared(0, Precision::Finest).track.curve, TrackCurve::Circle);
}

// A person comes down at 4 m/s and jumps again: a parabola through these ticks would be an
// acceleration of 120 m/s^2, and a client that loses the next track would see the person fly on.
TEST_F(AWay, ThatBouncesIsNotToldAsAnAcceleration) {
  const Tick bounce{1002};
  place = [&](double t) {
    const double after_s = t - bounce.count * s;
    return Vec3{0, 4 * std::abs(after_s) - 4.9 * after_s * after_s, 0};
  };
  for (const Tick at : {Tick{1003}, Tick{1004}, Tick{1005}}) {
    table.begin(at);
    Published entity = AWay::at(at);
    entity.turn = TrackTurn::Yaw;
    const SharedTrack& track = table.current(0, Precision::Finest, entity, past);
    const Vec3 later = point_at(track.track, 15).pose.position;
    EXPECT_LE(later.y, entity.position.y + 4 * 15 * s) << "15 ticks after " << at.count;
    table.clear(0);
  }
}

TEST_F(AWay, ThatEndsIsAStillTrack) {
  place = [](double t) { return Vec3{std::min(t, 20.0) * 5, 0, 0}; };
  follow(Precision::Finest);
  EXPECT_EQ(table.shared(0, Precision::Finest).track.curve, TrackCurve::Still);
}

TEST_F(AWay, HasOneVersionForAllWhoLookInATick) {
  place = [](double t) { return Vec3{std::sin(20 * t) * 5, 0, 0}; };
  table.begin(Tick{1000});
  const Published entity = at(Tick{1000});
  const std::uint16_t first = table.current(0, Precision::Fine, entity, past).version;
  EXPECT_NE(first, 0);
  EXPECT_EQ(table.current(0, Precision::Fine, entity, past).version, first);
  EXPECT_EQ(table.shared(0, Precision::Middle).version, 0) << "nobody has asked for it";
  EXPECT_TRUE(table.tells(0, Precision::Fine, Precision::Middle, entity));
  table.begin(Tick{1030});
  EXPECT_EQ(table.current(0, Precision::Fine, at(Tick{1030}), past).version, first + 1);
}

TEST_F(AWay, IsATrackOfLimitedAge) {
  place = [](double) { return Vec3{}; };
  table.begin(Tick{0});
  const std::uint16_t first = table.current(0, Precision::Fine, at(Tick{0}), past).version;
  const Tick later{track_ticks_max / 2};
  table.begin(later);
  EXPECT_EQ(table.current(0, Precision::Fine, at(later), past).version, first + 1);
}

// The bound holds at the surface: the rotation of a large hull counts more than that of a crate.
// A limb that swings: its spin changes all the time.
TEST(ASwing, NeedsFewerTracksWithItsAngularAcceleration) {
  const auto angle = [](Tick tick) { return 0.4 * std::sin(3 * tick.count * s); };
  const auto spin = [&](Tick tick) { return Vec3{0, 0, (angle(tick) - angle(tick - 1)) / s}; };
  const auto turned = [&](Tick tick) { return rotation_by({0, 0, angle(tick)}); };
  const auto tracks_of = [&](const TrackTable::PastOf& past) {
    TrackTable table{4};
    for (Tick tick{1000}; tick.count < 4600; tick = tick + 4) {
      table.begin(tick);
      Published limb = thing(5, {});
      limb.local.rotation = limb.world_rotation = turned(tick);
      limb.angular_velocity = limb.world_angular_velocity = spin(tick);
      limb.radius_m = 1;
      const SharedTrack& track = table.current(0, Precision::Finest, limb, past);
      EXPECT_LE(error_of(track, limb, tick), bound_m(Precision::Finest));
    }
    return table.encoded();
  };
  const std::uint64_t with = tracks_of([&](Handle, Tick tick, Handle) {
    return std::optional(PastMotion{{}, {}, turned(tick), spin(tick)});
  });
  EXPECT_LT(with * 3, tracks_of(nullptr) * 2);
}

TEST(AnError, IsThatOfTheWorstPointOfTheSurface) {
  TrackTable table(1);
  table.begin(Tick{100});
  Published hull = thing(5, {10, 0, 0});
  hull.radius_m = 60;
  const SharedTrack track = table.current(0, Precision::Finest, hull, {});
  EXPECT_LT(error_of(track, hull, Tick{100}), 0.005);
  hull.world_rotation = yaw_rotation(0.001);
  EXPECT_NEAR(error_of(track, hull, Tick{100}), 0.06, 0.005);
  hull.radius_m = 0.5;
  EXPECT_LT(error_of(track, hull, Tick{100}), 0.005);
}

TEST(AnError, OfAPersonsHeadingHasItsOwnBound) {
  TrackTable table(1);
  table.begin(Tick{100});
  Published person = thing(5, {10, 0, 0});
  person.turn = TrackTurn::Yaw;
  person.radius_m = 0.9;
  const SharedTrack track = table.current(0, Precision::Finest, person, {});
  person.world_rotation = yaw_rotation(5 * pi / 180);
  EXPECT_TRUE(tells_heading(track, person));
  person.world_rotation = yaw_rotation(7 * pi / 180);
  EXPECT_FALSE(tells_heading(track, person));
  EXPECT_LT(error_of(track, person, Tick{100}), 0.01);
}

// A person that turns its head is still on its track.
TEST(ATrackTable, SaysANewHeadingOfTheSameTrack) {
  TrackTable table(1);
  table.begin(Tick{100});
  Published person = thing(5, {10, 0, 0});
  person.turn = TrackTurn::Yaw;
  const TrackVersion first = version_of(table.current(0, Precision::Finest, person, {}));
  person.world_rotation = yaw_rotation(2);
  table.begin(Tick{104});
  const SharedTrack track = table.current(0, Precision::Finest, person, {});
  EXPECT_EQ(track.version, first.version);
  EXPECT_EQ(track.heading, heading_after(first.heading));
  EXPECT_EQ(track.turned, Tick{104});
  EXPECT_EQ(track.track.tick, Tick{100});
  EXPECT_LE(2 * track.heading_bytes.size(), track.bytes.size());
  for (const bool alone : {true, false}) {
    ByteReader reader(alone ? std::span<const std::byte>(track.heading_bytes)
                            : std::span<const std::byte>(track.bytes));
    const auto read = decode_track(reader, track.frame);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->heading_only, alone);
    EXPECT_EQ(read->track.rotation, track.track.rotation) << "both say the same";
    if (!alone) {
      EXPECT_EQ(read->track.position, track.track.position);
    }
  }
}

TEST(AnError, InAnotherFrameIsInfinite) {
  TrackTable table(1);
  table.begin(Tick{100});
  Published entity = thing(5, {10, 0, 0});
  const SharedTrack track = table.current(0, Precision::Finest, entity, {});
  entity.parent = 9;
  EXPECT_GT(error_of(track, entity, Tick{100}), 1e9);
}

}  // namespace
}  // namespace perigee::replication
