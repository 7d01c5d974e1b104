// Inputs at their ticks, late ones by a rewind, and the feedback to the player about their arrival.
#include <set>

#include "fixture.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

struct AnInput : testing::Test {
  Bench bench{{}, one_worker_map(), without_gaps()};
  AnInput() {
    bench.join();
    bench.stand(20);
  }
  /// Everything is final after P.
  static Settings without_gaps() {
    Settings settings = small_settings();
    settings.inputs.gap_ticks_max = 0;
    return settings;
  }
  const world::StepRecord& record(Tick tick) const { return *bench.player().records.find(tick); }
};

// K8, S5b: an input waits for its tick and is applied there, in any order of arrival
// V3, K11: filed per player, sorted into place, consumed by the tick
TEST_F(AnInput, IsAppliedExactlyAtItsTick) {
  const Tick t = bench.core->next_tick();
  for (const int ahead : {5, 2, 8, 0}) bench.send(walking_at(t + ahead, std::int8_t(10 + ahead)));
  bench.tick(10);
  for (const int ahead : {5, 2, 8, 0}) {
    EXPECT_EQ(record(t + ahead).input.forward, 10 + ahead);
    EXPECT_FALSE(record(t + ahead).guessed);
  }
  for (const int ahead : {1, 3, 4, 6, 7, 9}) EXPECT_TRUE(record(t + ahead).guessed);
}

TEST_F(AnInput, ThatIsLateTakesItsTickBack) {
  const Tick t = bench.core->next_tick();
  bench.tick(10);
  EXPECT_TRUE(record(t + 3).guessed);
  const Vec3 before = bench.player().state.position;
  bench.send(walking_at(t + 3));
  bench.tick();
  EXPECT_FALSE(record(t + 3).guessed);
  EXPECT_EQ(record(t + 3).input.forward, 127);
  EXPECT_GT(distance(bench.player().state.position, before), 0.1);
  EXPECT_EQ(bench.count(metric.inputs_late), 1U);
  EXPECT_EQ(bench.count(metric.rollback_ticks), 7U);
}

// K14: a duplicate changes nothing
TEST_F(AnInput, IsCountedByWhyItWasRefused) {
  const Tick t = bench.core->next_tick();
  bench.tick(30);
  const Tick now = bench.core->next_tick();
  bench.send(walking_at(t));
  EXPECT_EQ(bench.count(metric.inputs_too_late), 1U);
  bench.send(walking_at(now - 15));
  EXPECT_EQ(bench.count(metric.inputs_late), 1U);
  bench.send(walking_at(now - 16));
  EXPECT_EQ(bench.count(metric.inputs_too_late), 2U);
  bench.send(walking_at(now - 15, 5));
  bench.send(walking_at(now + 90));
  bench.send(walking_at(now + 90, 5));
  EXPECT_EQ(bench.count(metric.inputs_duplicate), 2U);
  bench.send(walking_at(now + 91));
  bench.send(walking_at(now + 1'000'000));
  EXPECT_EQ(bench.count(metric.inputs_too_early), 2U);
  ControlFrame frame = bench.frame_of({walking_at(now)});
  frame.reset_epoch = static_cast<std::uint8_t>(frame.reset_epoch + 1);
  bench.send(frame);
  EXPECT_EQ(bench.count(metric.inputs_old_epoch), 1U);
  bench.tick();
  EXPECT_TRUE(record(now).guessed);
  EXPECT_EQ(bench.player().records.find(now - 15)->input.forward, 127);  // the first one counts
}

TEST_F(AnInput, FromBeforeThePlayerCameIsTooLate) {
  bench.join(1);
  bench.send(walking_at(bench.core->next_tick() - 3), 1);
  EXPECT_EQ(bench.count(metric.inputs_too_late), 1U);
  bench.tick(3);
}

TEST_F(AnInput, OfNobodyHereIsCounted) {
  PlayerInput input = walking_at(bench.core->next_tick());
  bench.send(bench.frame_of({input}), 9);
  EXPECT_EQ(bench.count(metric.drop_unknown_session), 1U);
}

// S12: without a window, late inputs are not applied
TEST(ARewind, IsOffWithoutAWindow) {
  Settings settings = small_settings();
  settings.inputs.window_ticks = 0;
  Bench bench({}, one_worker_map(), settings);
  bench.join();
  bench.tick(5);
  bench.send(walking_at(bench.core->next_tick() - 1));
  bench.tick();
  EXPECT_EQ(bench.count(metric.inputs_too_late), 1U);
  EXPECT_EQ(bench.count(metric.rollback_ticks), 0U);
}

// K28: the echo names the input that was really applied, and its age
TEST_F(AnInput, IsEchoedOnlyIfItWasApplied) {
  std::set<std::uint32_t> applied;
  const std::size_t first_block = bench.blocks.size();
  Random random(4);
  applied.insert(bench.core->next_tick().count - 1);
  for (int i = 0; i < 200; ++i) {
    const Tick t = bench.core->next_tick();
    if (random.below(3) == 0) {
      bench.send(walking_at(t, 1));
      applied.insert(t.count);
    }
    bench.tick();
  }
  for (std::size_t i = first_block; i < bench.blocks.size(); ++i) {
    const ReadBlock& block = bench.blocks[i];
    if (!block.own) continue;
    ASSERT_TRUE(block.own->has_echo);
    ASSERT_TRUE(applied.contains(block.own->echo.count));
    const auto newest = std::prev(applied.lower_bound(block.header.tick.count));
    EXPECT_EQ(block.own->echo.count, *newest);
    EXPECT_EQ(ticks_between(block.own->echo, block.header.tick) - 1, block.own->echo_age_ticks);
  }
}

TEST(AnOwnSection, EchoesNothingBeforeTheFirstInput) {
  Bench bench;
  bench.join();
  bench.tick(4);
  EXPECT_FALSE(bench.last_own().has_echo);
  EXPECT_FALSE(bench.last_own().has_margin);
}

TEST(AnOwnSection, CarriesTheNewestStateThatCanNoLongerChange) {
  Bench bench;
  bench.join();
  bench.stand(10);
  EXPECT_EQ(bench.last_own().final_tick, bench.core->next_tick());
  EXPECT_FALSE(bench.last_own().speculative());
  EXPECT_EQ(bench.last_own().final_state, bench.player().state);
  const Tick gap = bench.core->next_tick();
  bench.tick(6);
  EXPECT_EQ(bench.last_own().final_tick, gap);
  EXPECT_TRUE(bench.last_own().speculative());
  bench.tick(20);
  EXPECT_EQ(bench.last_own().final_tick, bench.core->next_tick() - 15);
}

// The lead loop's measurement: start of the consuming tick minus arrival.
TEST_F(AnInput, ReportsItsMarginWithSignAndSize) {
  bench.tick(bench.core->next_tick().count % 2 == 0 ? 0 : 1);
  Tick t = bench.core->next_tick();
  bench.send(bench.frame_of({walking_at(t)}), 0, -128);   // half a tick early
  bench.send(bench.frame_of({walking_at(t + 1)}), 0, 0);  // a tick early
  bench.tick(2);
  EXPECT_TRUE(bench.last_own().has_margin);
  EXPECT_EQ(bench.last_own().margin_input, t);
  EXPECT_NEAR(bench.last_own().margin_us, 8333, 16);
  EXPECT_EQ(bench.last_own().late, 0);
  EXPECT_EQ(bench.last_own().guessed, 0);

  bench.tick(2);  // no input came
  EXPECT_FALSE(bench.last_own().has_margin);
  EXPECT_EQ(bench.last_own().guessed, 2);
  t = bench.core->next_tick();
  bench.send(bench.frame_of({walking_at(t - 2)}));
  bench.send(bench.frame_of({walking_at(t)}), 0, -256);
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_input, t - 2);
  EXPECT_NEAR(bench.last_own().margin_us, -33333, 16);
  EXPECT_EQ(bench.last_own().late, 1);
  EXPECT_EQ(bench.last_own().guessed, 1);
}

// Clients may send any tick, and the margin has 32 bits.
TEST_F(AnInput, OfAnAbsurdTickReportsTheLargestMargin) {
  const Tick now = bench.core->next_tick();
  bench.send(walking_at(now + 8'000'000));
  bench.send(walking_at(now - 8'000'000));
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_us, -2'000'000'000);
  bench.send(walking_at(now + 8'000'000));
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_us, 2'000'000'000);
}

// A client with a wrong lead can learn only from its refused inputs.
TEST_F(AnInput, IsReportedWithItsMarginAlsoWhenItIsRefused) {
  bench.tick(bench.core->next_tick().count % 2);
  const Tick t = bench.core->next_tick();
  bench.send(walking_at(t - 40));
  bench.tick(2);
  EXPECT_EQ(bench.count(metric.inputs_too_late), 1U);
  EXPECT_EQ(bench.last_own().margin_input, t - 40);
  EXPECT_NEAR(bench.last_own().margin_us, -666'667, 16);
  const Tick later = bench.core->next_tick();
  bench.send(walking_at(later + 120));
  bench.tick(2);
  EXPECT_EQ(bench.count(metric.inputs_too_early), 1U);
  EXPECT_EQ(bench.last_own().margin_input, later + 120);
  EXPECT_NEAR(bench.last_own().margin_us, 2'000'000, 16);
}

// Each packet repeats the refused inputs; only the first arrival tells something about the path.
TEST_F(AnInput, ThatIsRefusedAsTooEarlyIsMeasuredOnce) {
  bench.tick(bench.core->next_tick().count % 2);
  const Tick t = bench.core->next_tick();
  bench.send(bench.frame_of({walking_at(t + 120)}));
  bench.tick(2);
  bench.send(bench.frame_of({walking_at(t + 122), walking_at(t + 121), walking_at(t + 120)}));
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_input, t + 122);
  EXPECT_NEAR(bench.last_own().margin_us, 2'000'000, 16);
}

// The gateway's stamp compared with the kernel's: the delay of the fabric.
TEST_F(AnInput, IsTimedFromItsGatewayToHere) {
  bench.core->take_transits();
  Bytes bytes(512);
  const ControlFrame frame = bench.frame_of({walking_at(bench.core->next_tick())});
  const auto written = write_control(frame, bytes);
  const FineTick arrived = bench.now_fine();
  const auto arrives_after = [&](std::uint32_t fine_ticks) {
    const FineTick stamp{arrived.count - fine_ticks};
    bench.core->on_fabric(arrived, gateway_address,
                          bench.datagram(InputRecord{session_of(0), stamp, stream_owner, written}));
  };
  arrives_after(128);
  arrives_after(0);
  arrives_after(0U - 20);  // the gateway's clock is ahead
  const Transits transits = bench.core->take_transits();
  ASSERT_EQ(transits.size(), 3U);
  EXPECT_NEAR(transits[0], 0.5F / 60, 1e-6F);
  EXPECT_EQ(transits[1], 0);
  EXPECT_EQ(transits[2], 0);
  EXPECT_TRUE(bench.core->take_transits().empty());
  for (std::size_t i = 0; i < Transits::capacity() + 10; ++i) arrives_after(1);
  EXPECT_TRUE(bench.core->take_transits().full()) << "and no more than that";
}

// The time from an input's first arrival to the tick that consumes it; repetitions do not count.
TEST_F(AnInput, IsTimedFromHereToItsTick) {
  const Tick t = bench.core->next_tick();
  bench.core->take_waits();
  bench.send(walking_at(t + 2));
  bench.send(walking_at(t + 2));
  const Waits waits = bench.core->take_waits();
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_NEAR(waits[0], 2.0F / 60, 1e-5F);
  EXPECT_TRUE(bench.core->take_waits().empty());
}

TEST_F(AnInput, ThatWasRepeatedIsNotMeasuredAgain) {
  bench.tick(bench.core->next_tick().count % 2);
  const Tick t = bench.core->next_tick();
  bench.send(bench.frame_of({walking_at(t)}));
  bench.tick(2);
  bench.send(bench.frame_of({walking_at(t)}));  // two ticks later: redundancy, not lateness
  bench.tick(2);
  EXPECT_FALSE(bench.last_own().has_margin);
}

// The rate is that of the block's own tick, so that the client's clocks change their rate when the
// world does.
TEST(AnOwnSection, SaysHowFastTimePassesAndFromWhenOnItWillBeAnotherRate) {
  Bench bench;
  bench.join();
  bench.stand(3);
  const Tick change = bench.core->next_tick() + 20;
  bench.map.time.change = go_on(bench.map.time.base, change, 600'000);
  ++bench.map.version;
  bench.core->on_map(bench.map, Bench::start);
  const std::size_t before_it = bench.blocks.size();
  bench.stand(40);
  int sent = 0;
  for (std::size_t i = before_it; i < bench.blocks.size(); ++i) {
    if (!bench.blocks[i].own) continue;
    EXPECT_EQ(bench.blocks[i].own->rate, rate_notice(bench.map.time, bench.blocks[i].header.tick));
    sent += bench.blocks[i].own->rate.change_in_ticks > 0;
  }
  EXPECT_GE(sent, 8);
  EXPECT_EQ(bench.last_own().rate, (RateNotice{60, 0, 60}));
}

// A path of 300 ms takes 9 ticks at half the rate and 18 at the full one. That is no queue.
TEST(AnAcknowledgement, MeasuresThePathInRealTime) {
  Bench bench;
  bench.acknowledges = false;  // without any path
  bench.join();
  bench.acknowledges = true;
  const auto play = [&](std::int32_t seconds, std::int32_t round_trip_ticks) {
    for (int i = 0; i < 60 * seconds; ++i) {
      bench.frozen_newest_block = bench.core->next_tick() - round_trip_ticks;
      bench.stand(1);
    }
  };
  const auto set_time = [&](const WorldTime& time) {
    bench.map.time = time;
    ++bench.map.version;
    bench.core->on_map(bench.map, Bench::start);
  };
  const TimeSegment half = go_on(bench.map.time.base, bench.core->next_tick(), slowest_ppm);
  set_time({half, std::nullopt});
  play(2, 9);
  set_time({half, go_on(half, bench.core->next_tick(), real_time_ppm)});
  play(3, 18);
  EXPECT_EQ(bench.count(metric.seconds_slowed), 0U);
  play(3, 36);
  EXPECT_GT(bench.count(metric.seconds_slowed), 0U) << "300 ms more are a queue";
}

}  // namespace
}  // namespace perigee::worker
