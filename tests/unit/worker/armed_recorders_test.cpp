// Recorders that operators arm for single players.
#include "perigee/worker/armed_recorders.hpp"

#include "fixture.hpp"
#include "perigee/replay/rerun.hpp"

namespace perigee::worker {
namespace {

using Arming = FlightRecordings::Arming;

struct AnArmedRecorder : testing::Test {
  Bench bench{{}, one_worker_map(), {.recorders = 2}};
  replay::FlightRecorder copy{bench.game.types(), replay::half_minute};

  FlightRecordings& recordings() { return *bench.core->flight_recordings(); }
  Arming arm(std::uint32_t n, std::int32_t ticks = 3600) {
    return recordings().arm(100 + n, ticks);
  }
  std::optional<replay::Recording> taken(std::uint32_t n) {
    const auto header = recordings().copy(100 + n, "build", copy);
    if (!header) return std::nullopt;
    replay::Recording out = copy.without_things(*header);
    out.things = recordings().things(replay::handles_of(out));
    return out;
  }
};

TEST_F(AnArmedRecorder, HasThePlayersTicksAndWhatItsClientClaimed) {
  bench.join();
  bench.stand(5);
  ASSERT_EQ(arm(0), Arming::Armed);
  EXPECT_FALSE(taken(0)) << "no tick became final yet";
  for (int i = 0; i < 60; ++i) {
    ControlFrame frame = bench.frame_of({PlayerInput{.tick = bench.core->next_tick()}});
    frame.claimed_position.x += 0.25F;
    bench.send(frame);
    bench.tick();
  }
  const auto recording = taken(0);
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->header.side, replay::Side::Worker);
  EXPECT_EQ(recording->header.avatar, bench.player().identity);
  EXPECT_EQ(recording->header.session, session_of(0));
  EXPECT_EQ(recording->header.build, "build");
  ASSERT_GE(recording->ticks.size(), 40U);
  EXPECT_EQ(replay::rerun(bench.game, *recording).bits_otherwise, 0U);
  ASSERT_GE(recording->claims.size(), 40U);
  const replay::ReceivedClaim& claim = recording->claims.back();
  const world::StepRecord* led_there = replay::find_tick(*recording, claim.tick - 1);
  ASSERT_NE(led_there, nullptr);
  EXPECT_NEAR(claim.position.x, led_there->after.position.x + 0.25, 0.01);
  const auto read = replay::read_recording(replay::write_recording(*recording));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->claims.size(), recording->claims.size());
}

TEST_F(AnArmedRecorder, IsOneOfAFixedNumber) {
  for (std::uint32_t n : {0U, 1U, 2U}) bench.join(n);
  EXPECT_EQ(arm(0), Arming::Armed);
  EXPECT_EQ(arm(1), Arming::Armed);
  EXPECT_EQ(arm(2), Arming::AllInUse);
  EXPECT_EQ(arm(1), Arming::Armed) << "again";
  EXPECT_EQ(arm(9), Arming::NoPlayer);
  EXPECT_TRUE(recordings().disarm(100));
  EXPECT_FALSE(recordings().disarm(100));
  EXPECT_EQ(arm(2), Arming::Armed);
  EXPECT_EQ(recordings().armed().in_use(), 2U);
}

TEST_F(AnArmedRecorder, IsFreedAfterItsTime) {
  bench.join();
  ASSERT_EQ(arm(0, 20), Arming::Armed);
  bench.stand(10);
  ASSERT_EQ(arm(0, 20), Arming::Armed) << "prolongs it";
  bench.stand(19);
  EXPECT_EQ(recordings().armed().in_use(), 1U);
  bench.stand(1);
  EXPECT_EQ(recordings().armed().in_use(), 0U);
  EXPECT_FALSE(taken(0));
}

TEST_F(AnArmedRecorder, CanBeReadAfterItsPlayerLeftUntilAnotherNeedsIt) {
  for (std::uint32_t n : {0U, 1U, 2U}) bench.join(n);
  ASSERT_EQ(arm(0), Arming::Armed);
  ASSERT_EQ(arm(1), Arming::Armed);
  bench.stand(40);
  bench.leave(0);
  bench.tick();
  EXPECT_EQ(recordings().armed().in_use(), 1U);
  const auto left = taken(0);
  ASSERT_TRUE(left);
  EXPECT_GE(left->ticks.size(), 20U);
  EXPECT_EQ(arm(2), Arming::Armed);
  EXPECT_FALSE(taken(0));
}

TEST_F(AnArmedRecorder, StaysBehindWhenItsPlayerMigrates) {
  bench.join();
  ASSERT_EQ(arm(0), Arming::Armed);
  bench.stand(40);
  const Handle avatar = bench.player().avatar;
  ASSERT_TRUE(bench.core->can_send_group(avatar));
  bench.core->send_group(avatar);
  bench.tick();
  EXPECT_EQ(bench.core->player_of(100), nullptr);
  EXPECT_EQ(recordings().armed().in_use(), 0U);
  EXPECT_TRUE(taken(0));
  EXPECT_EQ(arm(0), Arming::NoPlayer) << "the new owner has to be asked";
}

}  // namespace
}  // namespace perigee::worker
