#include "perigee/base/wire_track.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"

namespace perigee {
namespace {

constexpr std::array<Precision, precisions> all_precisions{Precision::Finest, Precision::Fine,
                                                           Precision::Middle, Precision::Coarse};

std::optional<TrackRecord> again(const TrackRecord& record, Precision precision,
                                 double radius_m = 1) {
  const GroupFrame frame{.precision = precision, .block = handle_block(record.handle)};
  const EncodedTrack bytes = encode_track(record, precision, radius_m);
  ByteReader reader({bytes.begin(), bytes.size()});
  auto read = decode_track(reader, frame);
  EXPECT_TRUE(!read || reader.at_end());
  return read;
}

TrackRecord any_record(Random& random, Precision precision) {
  const auto around = [&](double limit) {
    return Vec3{random.between(-limit, limit), random.between(-limit, limit),
                random.between(-limit, limit)};
  };
  TrackRecord out{1 + random.below((1U << 28) - 1), {}};
  out.track.curve = static_cast<TrackCurve>(random.below(4));
  out.track.turn = static_cast<TrackTurn>(random.below(3));
  out.track.position = around(offset_limit_m(precision) * 0.9999);
  out.track.velocity = around(static_cast<double>(1U << random.below(9)));
  out.track.acceleration = around(static_cast<double>(1U << random.below(6)));
  if (out.track.curve == TrackCurve::Circle) {  // to the centre, as that of all circles
    out.track.acceleration =
        cross(circle_turn(out.track.velocity, out.track.acceleration), out.track.velocity);
  }
  out.track.rotation = out.track.turn == TrackTurn::Yaw
                           ? yaw_rotation(random.between(-pi, pi))
                           : normalized(Quat{random.between(-1, 1), random.between(-1, 1),
                                             random.between(-1, 1), random.between(-1, 1)});
  out.track.angular_velocity = around(3);
  const bool accelerates = out.track.turn == TrackTurn::Full && random.below(2) == 0;
  if (accelerates && out.track.curve != TrackCurve::Still) {
    out.track.angular_acceleration = around(2);
  }
  return out;
}

bool turns_fast(const Track& track) {
  return track.curve == TrackCurve::Circle &&
         length(circle_turn(track.velocity, track.acceleration)) > 1;
}

// The worst points of the surface, after a second, are within the bound that the class has.
TEST(ATrackRecord, KeepsTheTrackWithinItsBoundForASecond) {
  const std::uint64_t seed = 23;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  for (const Precision precision : all_precisions) {
    for (const double radius_m : {0.3, 2.0, 60.0}) {
      double largest_m = 0;
      for (int n = 0; n < 4000; ++n) {
        const TrackRecord record = any_record(random, precision);
        const Track& meant = record.track;
        if (turns_fast(meant)) continue;
        const auto read = again(record, precision, radius_m);
        ASSERT_TRUE(read);
        ASSERT_EQ(read->handle, record.handle);
        for (const double ticks : {0.0, 60.0}) {
          const Pose told = point_at(read->track, ticks).pose;
          const Pose is = point_at(meant, ticks).pose;
          for (const Vec3& on : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const Vec3 at = meant.turn == TrackTurn::Full ? on * radius_m : Vec3{};
            largest_m = std::max(largest_m, distance(transform(told, at), transform(is, at)));
          }
        }
      }
      EXPECT_LT(largest_m, bound_m(precision)) << radius_m;
      EXPECT_GT(largest_m, bound_m(precision) / 20) << radius_m;
    }
  }
}

// Cells of each precision reach the edge of the largest world, and offsets in them are as fine
// there.
TEST(ATrackRecord, IsAsExactFarFromTheOrigin) {
  Random random(31);
  for (const Precision precision : all_precisions) {
    for (int n = 0; n < 2'000; ++n) {
      const auto far = [&] {
        return (random.below(2) == 0 ? -1 : 1) * random.between(499'000, 500'000);
      };
      const Vec3 place{far(), random.between(-2'000, 2'000), far()};
      const Cell cell = cell_of(place, precision);
      TrackRecord record{.handle = 5, .track = {}};
      record.track.position = place - cell_center(cell, precision);
      const auto read = again(record, precision);
      ASSERT_TRUE(read);
      const Vec3 told = cell_center(cell, precision) + read->track.position;
      EXPECT_LE(distance(told, place), offset_step_m(precision)) << place.x;
    }
  }
}

TEST(ATrackRecord, CanBeWrittenAgain) {
  Random random(29);
  for (int n = 0; n < 20'000; ++n) {
    const Precision precision = all_precisions[random.below(precisions)];
    const auto once = again(any_record(random, precision), precision, 5);
    if (!once || turns_fast(once->track)) continue;
    const auto twice = again(*once, precision, 5);
    ASSERT_TRUE(twice);
    EXPECT_LT(
        distance(point_at(once->track, 60).pose.position, point_at(twice->track, 60).pose.position),
        bound_m(precision));
  }
}

TEST(ATrackRecord, TakesNoMoreBitsThanItsMotionNeeds) {
  const auto bits = [](const TrackRecord& record, double radius_m) {
    return encode_track(record, Precision::Finest, radius_m).size() * 8;
  };
  TrackRecord person{.handle = 5, .track = {}};
  person.track.turn = TrackTurn::Yaw;
  EXPECT_EQ(bits(person, 1), 80U);  // 10 + 7 + 54 + 8
  person.track.curve = TrackCurve::Straight;
  person.track.velocity = {1.5, 0, 0.5};
  EXPECT_EQ(bits(person, 1), 112U);  // and 5 + 2 * 11: it has no y
  TrackRecord hull{.handle = 5, .track = {}};
  hull.track.curve = TrackCurve::Circle;
  hull.track.turn = TrackTurn::Full;
  hull.track.velocity = {50, 0, 0};
  hull.track.acceleration = {0, 0, 25};
  hull.track.angular_velocity = {0, 0.5, 0};
  EXPECT_LE(bits(hull, 60), 320U);
}

TEST(ATrackRecord, FitsIntoItsLargestSize) {
  Random random(31);
  for (int n = 0; n < 10'000; ++n) {
    TrackRecord record = any_record(random, Precision::Finest);
    record.track.velocity *= 1e6;
    record.track.acceleration *= 1e6;
    record.track.angular_velocity *= 1e6;
    record.track.angular_acceleration *= 1e6;
    EXPECT_LE(encode_track(record, Precision::Finest, 1e4).size(), track_record_bytes_max);
  }
}

TEST(ATrackRecord, HasExactlyTheseBytes) {
  TrackRecord record{0x10abcde, {}};
  record.track.curve = TrackCurve::Straight;
  record.track.turn = TrackTurn::Yaw;
  record.track.position = {1, -2, 255.5};
  record.track.velocity = {3, 0, -63.0 / 1024};
  record.track.rotation = yaw_rotation(pi / 2);
  std::string text;
  for (const std::byte b : encode_track(record, Precision::Finest, 1)) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", std::to_integer<unsigned>(b));
    text += two;
  }
  EXPECT_EQ(text, "7bf36a01400000fe01fedb0006fe40");
}

TEST(ATrackRecord, IsRefusedIfItMakesNoSense) {
  ByteReader none(std::span<const std::byte>{});
  EXPECT_FALSE(decode_track(none, {}));
  const std::array<std::byte, 16> zero{};
  ByteReader nobody(zero);
  EXPECT_FALSE(decode_track(nobody, {})) << "no entity has the handle 0";
  TrackRecord spinning{.handle = 5, .track = {}};
  spinning.track.curve = TrackCurve::Circle;
  spinning.track.velocity = {0.01, 0, 0};
  spinning.track.acceleration = {0, 0, 100};
  EXPECT_FALSE(again(spinning, Precision::Finest)) << "no body turns at 10,000 rad/s";
}

/// A difference as its receiver reads it; none if it was not shorter, or is refused.
std::optional<TrackRecord> difference_again(const TrackSteps& steps, Tick tick,
                                            const TrackBasis& basis, const TrackBasis& receiver_has,
                                            double damping) {
  const EncodedDifference bytes =
      encode_difference(0x300005, steps, tick, basis, damping, track_record_bytes_max);
  if (bytes.empty()) return std::nullopt;
  ByteReader reader({bytes.begin(), bytes.size()});
  auto read = decode_track(reader, basis.frame);
  EXPECT_TRUE(read && reader.at_end() && read->handle == 0x300005);
  EXPECT_EQ(basis.tick, tick - read->basis_ticks);
  if (!complete(*read, receiver_has, damping)) return std::nullopt;
  return read;
}

// Whatever the two tracks are, the receiver has the sender's bits.
TEST(ADifference, LeadsToExactlyTheTrackThatWasMeant) {
  Random random(41);
  int read = 0;
  for (int n = 0; n < 40'000; ++n) {
    const Precision precision = all_precisions[random.below(precisions)];
    const auto steps = [&] {
      return steps_of(any_record(random, precision).track, precision, 0.1 + random.below(50),
                      static_cast<int>(random.below(1U << brevity_bits)));
    };
    const TrackBasis basis{{.precision = precision, .block = 3}, Tick{700}, steps()};
    const TrackSteps meant = steps();
    if (!is_possible(basis.steps, precision) || !is_possible(meant, precision)) continue;
    const double damping = random.below(2) * 0.05;
    const Tick tick =
        basis.tick + 1 + static_cast<std::int32_t>(random.below(1U << random.below(20)));
    const auto got = difference_again(meant, tick, basis, basis, damping);
    if (!got) continue;
    ++read;
    ASSERT_EQ(got->steps, meant);
    ASSERT_EQ(got->track.position, track_of(meant, precision).position);
  }
  EXPECT_GT(read, 10'000);
}

// One as a body follows another: after a push, a little beside its track.
TEST(ADifference, TakesFewerBits) {
  Random random(43);
  std::size_t whole_bytes = 0, difference_bytes = 0;
  const auto around = [&](double limit) {
    return Vec3{random.between(-limit, limit), random.between(-limit, limit),
                random.between(-limit, limit)};
  };
  for (int n = 0; n < 1'000; ++n) {
    Track track = any_record(random, Precision::Fine).track;
    track.curve = TrackCurve::Parabola;
    track.turn = TrackTurn::Full;
    track.velocity = around(10);
    track.acceleration = around(5);
    track.angular_acceleration = {};
    track.angular_velocity = around(2);
    const TrackBasis basis{
        {.precision = Precision::Fine}, Tick{700}, steps_of(track, Precision::Fine, 2)};
    constexpr std::int32_t later_ticks = 12;
    const TrackPoint point = point_at(track, later_ticks);
    track.position = point.pose.position + around(0.1);
    track.rotation = rotation_by(around(0.01)) * point.pose.rotation;
    track.velocity = point.velocity + around(0.2);
    track.acceleration += around(0.5);
    track.angular_velocity += around(0.05);
    const TrackSteps steps = steps_of(track, Precision::Fine, 2);
    whole_bytes += encode_track(5, steps).size();
    difference_bytes +=
        encode_difference(5, steps, basis.tick + later_ticks, basis, 0, track_record_bytes_max)
            .size();
  }
  EXPECT_LT(difference_bytes * 100, whole_bytes * 60);
}

TEST(ADifference, IsNoneIfItIsNotShorter) {
  const TrackSteps still = steps_of(Track{}, Precision::Finest, 1);
  const TrackBasis basis{{}, Tick{10}, still};
  EXPECT_FALSE(encode_difference(5, still, Tick{20}, basis, 0, 12).empty());
  EXPECT_TRUE(encode_difference(5, still, Tick{20}, basis, 0, 3).empty());
}

TEST(ADifference, IsRefusedIfTheSumIsNoTrack) {
  Track far;
  far.position = {250, 0, 0};
  Track farther;
  farther.position = {255.9, 0, 0};
  const GroupFrame frame{.block = 3};
  const TrackBasis near{frame, Tick{10}, steps_of(Track{}, Precision::Finest, 1)};
  const TrackBasis at_the_edge{frame, Tick{10}, steps_of(far, Precision::Finest, 1)};
  const TrackSteps meant = steps_of(farther, Precision::Finest, 1);
  EXPECT_TRUE(difference_again(meant, Tick{20}, near, near, 0));
  EXPECT_FALSE(difference_again(meant, Tick{20}, near, at_the_edge, 0));
}

TEST(Cells, CutSpaceAroundTheirCentres) {
  for (const Vec3 p : {Vec3{0, 0, 0}, Vec3{255, -255, 257}, Vec3{-7999, 1999, 7999}}) {
    for (const Precision precision : all_precisions) {
      const Vec3 offset = p - cell_center(cell_of(p, precision), precision);
      EXPECT_LE(std::abs(offset.x), offset_limit_m(precision));
      EXPECT_LE(std::abs(offset.y), offset_limit_m(precision));
      EXPECT_LE(std::abs(offset.z), offset_limit_m(precision));
    }
  }
}

}  // namespace
}  // namespace perigee
