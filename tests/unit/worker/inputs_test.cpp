// Inputs at their ticks, late ones by rewinding, and what the player is told of how they came.
#include "fixture.hpp"
#include "perigee/netcode/hash.hpp"

namespace perigee::worker {
namespace {

PlayerInput walking(Tick tick, std::int8_t forward = 127) {
  PlayerInput input;
  input.tick = tick;
  input.forward = forward;
  return input;
}

struct AnInput : testing::Test {
  Bench bench;
  AnInput() {
    bench.join();
    bench.stand(20);
  }
  const world::StepRecord& record(Tick tick) const { return *bench.player().records.find(tick); }
};

// K8, S5b: waits for its tick and is applied there, whatever the order of arrival
// V3, K11: filed per player, sorted into place, consumed by the tick
TEST_F(AnInput, IsAppliedExactlyAtItsTick) {
  const Tick t = bench.core->next_tick();
  for (const int ahead : {5, 2, 8, 0}) bench.send(walking(t + ahead, std::int8_t(10 + ahead)));
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
  bench.send(walking(t + 3));
  bench.tick();
  EXPECT_FALSE(record(t + 3).guessed);
  EXPECT_EQ(record(t + 3).input.forward, 127);
  EXPECT_GT(distance(bench.player().state.position, before), 0.1);
  EXPECT_EQ(bench.count(Count::InputsLate), 1U);
  EXPECT_EQ(bench.count(Count::RollbackTicks), 7U);
}

// K14: a duplicate changes nothing
TEST_F(AnInput, IsCountedByWhyItWasRefused) {
  const Tick t = bench.core->next_tick();
  bench.tick(30);
  const Tick now = bench.core->next_tick();
  bench.send(walking(t));
  EXPECT_EQ(bench.count(Count::InputsTooLate), 1U);
  bench.send(walking(now - 15));
  EXPECT_EQ(bench.count(Count::InputsLate), 1U);
  bench.send(walking(now - 16));
  EXPECT_EQ(bench.count(Count::InputsTooLate), 2U);
  bench.send(walking(now - 15, 5));
  bench.send(walking(now + 60));
  bench.send(walking(now + 60, 5));
  EXPECT_EQ(bench.count(Count::InputsDuplicate), 2U);
  bench.send(walking(now + 61));
  bench.send(walking(now + 1'000'000));
  EXPECT_EQ(bench.count(Count::InputsTooEarly), 2U);
  ControlFrame frame = bench.frame_of({walking(now)});
  frame.reset_epoch = static_cast<std::uint8_t>(frame.reset_epoch + 1);
  bench.send(frame);
  EXPECT_EQ(bench.count(Count::InputsOldEpoch), 1U);
  bench.tick();
  EXPECT_TRUE(record(now).guessed);
  EXPECT_EQ(bench.player().records.find(now - 15)->input.forward, 127);  // the first one counts
}

TEST_F(AnInput, FromBeforeThePlayerCameIsTooLate) {
  bench.join(1);
  bench.send(walking(bench.core->next_tick() - 3), 1);
  EXPECT_EQ(bench.count(Count::InputsTooLate), 1U);
  bench.tick(3);
}

TEST_F(AnInput, OfNobodyHereIsCounted) {
  PlayerInput input = walking(bench.core->next_tick());
  bench.send(bench.frame_of({input}), 9);
  EXPECT_EQ(bench.count(Count::DropUnknownSession), 1U);
}

// S8, S9, S10: the whole sequence with every input in time is the oracle for the same inputs that
// came late, twice, out of order, or only in a later packet.
struct Finals {
  std::map<std::uint32_t, std::pair<Handle, ActorState>> by_tick;
  Tick noted = Bench::start;
  void note(const Bench& bench) {
    const Player& player = bench.player();
    const Tick now = player.inputs.final_before(bench.core->next_tick());
    for (; before(noted, now); ++noted) {
      const world::StepRecord* record = player.records.find(noted);
      if (record != nullptr) by_tick[noted.count] = {record->parent, record->after};
    }
  }
};

std::vector<PlayerInput> wander(std::uint64_t seed, Tick first, int ticks) {
  Random random(seed);
  std::vector<PlayerInput> inputs;
  PlayerInput input;
  for (int i = 0; i < ticks; ++i) {
    input.tick = first + i;
    input.samples.clear();
    if (i % 12 == 0) {
      input.yaw = static_cast<std::uint16_t>(random.next());
      input.forward = 127;
      input.right = static_cast<std::int8_t>(static_cast<int>(random.below(255)) - 127);
      input.held = random.below(2) == 0 ? button_run : 0;
    }
    if (random.below(40) == 0) input.samples.push_back({.pressed = button_jump});
    inputs.push_back(input);
  }
  return inputs;
}

ControlFrame packet(const Bench& bench, const std::vector<PlayerInput>& inputs, int newest) {
  std::vector<PlayerInput> carried;
  for (int i = newest; i >= 0 && carried.size() < ControlFrame::inputs_max; --i) {
    carried.push_back(inputs[static_cast<std::size_t>(i)]);
  }
  return bench.frame_of(carried);
}

struct Weather {
  std::uint32_t lost_percent = 30;
  std::uint32_t twice_percent = 20;
  std::uint32_t delay_ticks_max = 6;
  int stall_ticks = 0;  ///< of every 40: nothing arrives, then everything at once
};

void expect_rewound_run_equals_the_run_in_time(const test::YardOptions& yard, std::uint64_t seed,
                                               const Weather& weather) {
  constexpr int ticks = 300;
  constexpr int rest = 40;
  Settings settings;
  settings.reset_m = 1e9;  // claims are another test's matter
  Bench in_time(yard, one_worker_map(), settings);
  Bench late(yard, one_worker_map(), settings);
  Finals expected;
  Finals got;
  const auto inputs = wander(seed, Bench::start, ticks);
  in_time.join();
  late.join();
  for (int i = 0; i < ticks + rest; ++i) {
    if (i < ticks) in_time.send(inputs[static_cast<std::size_t>(i)]);
    in_time.tick();
    expected.note(in_time);
  }
  Random random(seed + 1000);
  std::multimap<int, ControlFrame> under_way;
  for (int i = 0; i < ticks + rest; ++i) {
    const int newest = std::min(i, ticks - 1);  // the last packet is repeated for a while
    const int copies = random.below(100) < weather.twice_percent ? 2 : 1;
    for (int copy = 0; copy < copies && i < ticks + 10; ++copy) {
      if (random.below(100) < weather.lost_percent) continue;
      const int delay = static_cast<int>(random.below(weather.delay_ticks_max + 1));
      const int into_stall = (i + delay) % 40;
      const int held_back = std::max(weather.stall_ticks - into_stall, 0);
      under_way.emplace(i + delay + held_back, packet(late, inputs, newest));
    }
    for (auto it = under_way.begin(); it != under_way.end() && it->first <= i;) {
      late.send(it->second);
      it = under_way.erase(it);
    }
    late.tick();
    got.note(late);
  }
  ASSERT_GT(late.count(Count::RollbackTicks), 100U);
  ASSERT_EQ(late.count(Count::HardResets), 0U);
  ASSERT_EQ(in_time.count(Count::RollbackTicks), 0U);
  ASSERT_GT(expected.by_tick.size(), 300U);
  for (const auto& [tick, state] : expected.by_tick) {
    ASSERT_TRUE(got.by_tick.contains(tick)) << tick;
    ASSERT_EQ(got.by_tick[tick].first, state.first) << "parent at " << tick;
    ASSERT_EQ(got.by_tick[tick].second, state.second)
        << "tick " << tick - Bench::start.count << ", "
        << distance(got.by_tick[tick].second.position, state.second.position) << " m";
  }
  EXPECT_EQ(late.player().state, in_time.player().state);
}

TEST(ARewind, EndsBitForBitWhereTheInputsInTimeEnd) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_rewound_run_equals_the_run_in_time({.spawn = {0, 0.91, 5}}, seed, {});
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(ARewind, KnowsObstaclesThatTheGuessNeverCameNear) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    expect_rewound_run_equals_the_run_in_time({.spawn = {6.25, 0.91, -6.25}, .pillars = true}, seed,
                                              {.delay_ticks_max = 0, .stall_ticks = 13});
    if (testing::Test::HasFatalFailure()) return;
  }
}

// S12: without a window there is no second chance
TEST(ARewind, IsOffWithoutAWindow) {
  Settings settings;
  settings.inputs.window_ticks = 0;
  Bench bench({}, one_worker_map(), settings);
  bench.join();
  bench.tick(5);
  bench.send(walking(bench.core->next_tick() - 1));
  bench.tick();
  EXPECT_EQ(bench.count(Count::InputsTooLate), 1U);
  EXPECT_EQ(bench.count(Count::RollbackTicks), 0U);
}

// K28: the echo names what was really applied, and since when
TEST_F(AnInput, IsEchoedOnlyIfItWasApplied) {
  std::set<std::uint32_t> applied;
  const std::size_t first_block = bench.blocks.size();
  Random random(4);
  applied.insert(bench.core->next_tick().count - 1);
  for (int i = 0; i < 200; ++i) {
    const Tick t = bench.core->next_tick();
    if (random.below(3) == 0) {
      bench.send(walking(t, 1));
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
  EXPECT_FALSE(bench.last_own().speculative);
  EXPECT_EQ(bench.last_own().final_state, bench.player().state);
  const Tick gap = bench.core->next_tick();
  bench.tick(6);
  EXPECT_EQ(bench.last_own().final_tick, gap);
  EXPECT_TRUE(bench.last_own().speculative);
  bench.tick(20);
  EXPECT_EQ(bench.last_own().final_tick, bench.core->next_tick() - 15);
}

// The lead loop's measure: start of the consuming tick minus arrival.
TEST_F(AnInput, ReportsItsMarginWithSignAndSize) {
  bench.tick(bench.core->next_tick().count % 2 == 0 ? 0 : 1);
  Tick t = bench.core->next_tick();
  bench.send(bench.frame_of({walking(t)}), 0, -128);   // half a tick early
  bench.send(bench.frame_of({walking(t + 1)}), 0, 0);  // a tick early
  bench.tick(2);
  EXPECT_TRUE(bench.last_own().has_margin);
  EXPECT_NEAR(bench.last_own().margin_worst_us, 8333, 2);
  EXPECT_NEAR(bench.last_own().margin_newest_us, 16667, 2);
  EXPECT_EQ(bench.last_own().late, 0);
  EXPECT_EQ(bench.last_own().guessed, 0);

  bench.tick(2);  // nothing came
  EXPECT_FALSE(bench.last_own().has_margin);
  EXPECT_EQ(bench.last_own().guessed, 2);
  t = bench.core->next_tick();
  bench.send(bench.frame_of({walking(t - 2)}));
  bench.send(bench.frame_of({walking(t)}), 0, -256);
  bench.tick(2);
  EXPECT_NEAR(bench.last_own().margin_worst_us, -33333, 2);
  EXPECT_NEAR(bench.last_own().margin_newest_us, 16667, 2);
  EXPECT_EQ(bench.last_own().late, 1);
  EXPECT_EQ(bench.last_own().guessed, 1);
}

// Clients name any tick, and the margin has 32 bits.
TEST_F(AnInput, OfAnAbsurdTickReportsTheLargestMargin) {
  const Tick now = bench.core->next_tick();
  bench.send(walking(now + 8'000'000));
  bench.send(walking(now - 8'000'000));
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_newest_us, -2'000'000'000);
  EXPECT_EQ(bench.last_own().margin_worst_us, -2'000'000'000);
  bench.send(walking(now + 8'000'000));
  bench.tick(2);
  EXPECT_EQ(bench.last_own().margin_worst_us, 2'000'000'000);
}

// The gateway's stamp against the kernel's: what the fabric costs.
TEST_F(AnInput, IsTimedFromItsGatewayToHere) {
  bench.core->take_transits();
  Bytes bytes(512);
  const ControlFrame frame = bench.frame_of({walking(bench.core->next_tick())});
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

// From its arrival to the tick that consumes it, once, whatever is repeated.
TEST_F(AnInput, IsTimedFromHereToItsTick) {
  const Tick t = bench.core->next_tick();
  bench.core->take_waits();
  bench.send(walking(t + 2));
  bench.send(walking(t + 2));
  const Waits waits = bench.core->take_waits();
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_NEAR(waits[0], 2.0F / 60, 1e-5F);
  EXPECT_TRUE(bench.core->take_waits().empty());
}

TEST_F(AnInput, ThatWasRepeatedIsNotMeasuredAgain) {
  bench.tick(bench.core->next_tick().count % 2);
  const Tick t = bench.core->next_tick();
  bench.send(bench.frame_of({walking(t)}));
  bench.tick(2);
  bench.send(bench.frame_of({walking(t)}));  // two ticks later: redundancy, not lateness
  bench.tick(2);
  EXPECT_FALSE(bench.last_own().has_margin);
}

}  // namespace
}  // namespace perigee::worker
