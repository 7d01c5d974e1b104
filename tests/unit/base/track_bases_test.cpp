#include "perigee/base/track_bases.hpp"

#include <gtest/gtest.h>

namespace perigee {
namespace {

constexpr GroupFrame frame{.precision = Precision::Fine};

TrackSteps at(double x_m) {
  Track track;
  track.position = {x_m, 0, 0};
  return steps_of(track, frame.precision, 1);
}
TrackRecord whole(Tick tick, double x_m) {
  TrackRecord out{.handle = 5, .steps = at(x_m)};
  out.track = track_of(out.steps, frame.precision);
  out.track.tick = tick;
  return out;
}
TrackRecord difference(Tick tick, double x_m, Tick basis, double basis_x_m) {
  const EncodedDifference bytes =
      encode_difference(5, at(x_m), tick, {frame, basis, at(basis_x_m)}, 0, track_record_bytes_max);
  ByteReader reader({bytes.begin(), bytes.size()});
  TrackRecord out = *decode_track(reader, frame);
  out.track.tick = tick;
  return out;
}

struct TheBases : testing::Test {
  TrackBases bases;
  bool receive(TrackRecord record, std::uint8_t stream = 1, const GroupFrame& in = frame) {
    const bool done = bases.complete(record, in, stream, 0);
    if (done) at_m = record.track.position.x;
    return done;
  }
  double at_m = -1;
};

TEST_F(TheBases, CompleteADifference) {
  EXPECT_TRUE(receive(whole(Tick{100}, 1)));
  EXPECT_TRUE(receive(difference(Tick{104}, 2, Tick{100}, 1)));
  EXPECT_EQ(at_m, 2);
  EXPECT_TRUE(receive(difference(Tick{108}, 4, Tick{104}, 2))) << "which is a basis itself";
  EXPECT_EQ(at_m, 4);
  EXPECT_TRUE(receive(difference(Tick{106}, 3, Tick{100}, 1))) << "late, and from an older one";
  EXPECT_EQ(at_m, 3);
}

TEST_F(TheBases, RefuseADifferenceToWhatHasNotArrived) {
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1)));
  receive(whole(Tick{99}, 1));
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1)));
  EXPECT_EQ(at_m, 1);
}

// Two workers may name one tick: after a failure both have had the entity.
TEST_F(TheBases, AreOfOneStreamAndOneFrame) {
  receive(whole(Tick{100}, 1));
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1), 2));
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1), 1,
                       {.parent = 7, .precision = frame.precision}));
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1), 1,
                       {.cell = {1, 0, 0}, .precision = frame.precision}));
  bases.forget_stream(1);
  EXPECT_FALSE(receive(difference(Tick{104}, 2, Tick{100}, 1)));
}

TEST_F(TheBases, AreTheLastEight) {
  for (std::int32_t i = 0; i < 9; ++i) receive(whole(Tick{100} + i, i));
  receive(whole(Tick{108}, 8));  // again
  EXPECT_FALSE(receive(difference(Tick{120}, 3, Tick{100}, 0)));
  EXPECT_TRUE(receive(difference(Tick{120}, 3, Tick{101}, 1)));
}

TEST_F(TheBases, LeaveHeadingsAlone) {
  TrackRecord heading{.handle = 5, .heading_only = true};
  EXPECT_TRUE(receive(heading));
}

}  // namespace
}  // namespace perigee
