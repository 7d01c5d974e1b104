// Inputs that are late, duplicated, reordered or only in a later packet give the same result as the
// same inputs in time: for a single player, and for players that push each other.
#include <algorithm>
#include <functional>

#include "crowd.hpp"
#include "literal.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

constexpr int played_ticks = 300;
constexpr int rest = 40;

std::vector<PlayerInput> wander(std::uint64_t seed) {
  Random random(seed);
  std::vector<PlayerInput> inputs;
  PlayerInput input;
  for (int i = 0; i < played_ticks; ++i) {
    input.tick = Bench::start + i;
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

struct Weather {
  std::uint32_t lost_percent = 30;
  std::uint32_t twice_percent = 20;
  std::uint32_t delay_ticks_max = 6;
  int stall_ticks = 0;  ///< of every 40: no packets arrive, then all at once
};

/// Players of a yard with their inputs, and their final states.
struct Company {
  Bench bench;
  std::vector<std::vector<PlayerInput>> inputs;
  /// By player and tick.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Handle, ActorState>> finals;
  std::vector<Tick> noted;
  std::optional<Literal> literal;

  Company(const test::YardOptions& yard, std::uint32_t people, std::uint64_t seed)
      : bench(yard, one_worker_map(), without_claims()), noted(people, Bench::start) {
    for (std::uint32_t n = 0; n < people; ++n) {
      bench.join(n);
      inputs.push_back(wander(seed * 100 + n));
    }
  }
  std::uint32_t people() const { return static_cast<std::uint32_t>(inputs.size()); }
  /// Runs the literal algorithm in parallel.
  void compare_with_literal() {
    literal.emplace(bench.game, bench.settings.inputs, bench.map.workers[0].handle_base.number,
                    Bench::start);
    for (std::uint32_t n = 0; n < people(); ++n) literal->join();
  }
  void send(std::uint32_t n, int newest) {
    std::vector<PlayerInput> carried;
    for (int i = newest; i >= 0 && carried.size() < ControlFrame::inputs_max; --i) {
      carried.push_back(inputs[n][static_cast<std::size_t>(i)]);
    }
    bench.send(bench.frame_of(carried, n), n);
    if (!literal) return;
    for (std::size_t i = carried.size(); i-- > 0;) literal->receive(n, carried[i]);
  }
  void tick() {
    bench.tick();
    for (std::uint32_t n = 0; n < people(); ++n) note(n);
    if (!literal) return;
    literal->tick();
    for (std::uint32_t n = 0; n < people(); ++n) {
      ASSERT_EQ(bench.player(n).state, literal->state(n)) << "to the letter, player " << n;
    }
  }
  void play_in_time() {
    for (int i = 0; i < played_ticks + rest; ++i) {
      for (std::uint32_t n = 0; n < people() && i < played_ticks; ++n) send(n, i);
      tick();
    }
  }
  void play_through(const Weather& weather, std::uint64_t seed) {
    Random random(seed + 1000);
    std::multimap<int, std::pair<std::uint32_t, int>> under_way;
    for (int i = 0; i < played_ticks + rest; ++i) {
      const int newest = std::min(i, played_ticks - 1);  // the last packet is repeated for a while
      for (std::uint32_t n = 0; n < people() && i < played_ticks + 10; ++n) {
        const int copies = random.below(100) < weather.twice_percent ? 2 : 1;
        for (int copy = 0; copy < copies; ++copy) {
          if (random.below(100) < weather.lost_percent) continue;
          const int delay = static_cast<int>(random.below(weather.delay_ticks_max + 1));
          const int into_stall = (i + delay) % 40;
          const int held_back = std::max(weather.stall_ticks - into_stall, 0);
          under_way.emplace(i + delay + held_back, std::pair(n, newest));
        }
      }
      for (auto it = under_way.begin(); it != under_way.end() && it->first <= i;) {
        send(it->second.first, it->second.second);
        it = under_way.erase(it);
      }
      tick();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  /// Ticks of players in which another player pushed them.
  std::uint64_t shoves = 0;

 private:
  void note(std::uint32_t n) {
    const Player& player = bench.player(n);
    const Tick now = bench.core->next_tick() - bench.settings.inputs.window_ticks;
    for (; before(noted[n], now); ++noted[n]) {
      const world::StepRecord* record = player.records.find(noted[n]);
      if (record == nullptr) continue;
      finals[{n, noted[n].count}] = {record->parent, record->after};
      for (const world::Contact& contact : record->report.contacts) {
        const world::Entity* other = bench.core->world().find(contact.id);
        shoves += other != nullptr && other->type == test::person_row ? 1U : 0U;
      }
    }
  }
};

void expect_the_same(const Company& got, const Company& expected) {
  ASSERT_EQ(got.bench.count(metric.hard_resets), 0U);
  ASSERT_EQ(got.bench.count(metric.rollback_ticks_refused), 0U);
  ASSERT_EQ(expected.bench.count(metric.rollback_ticks), 0U);
  ASSERT_GT(expected.finals.size(), expected.people() * std::size_t{played_ticks});
  for (const auto& [at, state] : expected.finals) {
    const auto& [n, tick] = at;
    SCOPED_TRACE(testing::Message() << "player " << n << ", tick " << tick - Bench::start.count);
    const auto found = got.finals.find(at);
    ASSERT_NE(found, got.finals.end());
    ASSERT_EQ(found->second.first, state.first) << "parent";
    ASSERT_EQ(found->second.second, state.second)
        << distance(found->second.second.position, state.second.position) << " m";
  }
  for (std::uint32_t n = 0; n < expected.people(); ++n) {
    EXPECT_EQ(got.bench.player(n).state, expected.bench.player(n).state);
  }
}

void expect_rewound_run_equals_the_run_in_time(const test::YardOptions& yard, std::uint64_t seed,
                                               const Weather& weather) {
  Company expected(yard, 1, seed);
  Company got(yard, 1, seed);
  expected.play_in_time();
  got.play_through(weather, seed);
  ASSERT_GT(got.bench.count(metric.rollback_ticks), 100U);
  expect_the_same(got, expected);
}

TEST(ARewind, EndsBitForBitWhereTheInputsInTimeEnd) {
  for (std::uint64_t seed = 1; seed <= seeds_of(20, 4); ++seed) {
    SCOPED_TRACE(seed);
    expect_rewound_run_equals_the_run_in_time({.spawn = {0, 0.91, 5}}, seed, {});
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(ARewind, KnowsObstaclesThatTheGuessNeverCameNear) {
  for (std::uint64_t seed = 1; seed <= seeds_of(20, 4); ++seed) {
    SCOPED_TRACE(seed);
    expect_rewound_run_equals_the_run_in_time({.spawn = {6.25, 0.91, -6.25}, .pillars = true}, seed,
                                              {.delay_ticks_max = 0, .stall_ticks = 13});
    if (testing::Test::HasFatalFailure()) return;
  }
}

// S8, S9, S10: at every tick the result of the literal sequence with the inputs received so far,
// and in the end the result of inputs in time.
TEST(ACrowd, EndsBitForBitWhereTheInputsInTimeEnd) {
  const std::vector<Weather> weathers{{.lost_percent = 20},
                                      {.lost_percent = 5, .delay_ticks_max = 2},
                                      {.lost_percent = 5, .delay_ticks_max = 0, .stall_ticks = 10}};
  for (std::uint64_t seed = 1; seed <= seeds_of(12, 3); ++seed) {
    SCOPED_TRACE(seed);
    const auto people = static_cast<std::uint32_t>(8 + seed);
    const test::YardOptions yard{
        .spawn = {-2.5, 0.91, -2}, .spacing = {5.0 / people, 0, 3.0 / people}, .pen = true};
    Company expected(yard, people, seed);
    Company got(yard, people, seed);
    expected.play_in_time();
    got.compare_with_literal();
    got.play_through(weathers[seed % weathers.size()], seed);
    ASSERT_FALSE(testing::Test::HasFatalFailure());
    EXPECT_EQ(got.bench.count(metric.inputs_too_late), 0U);
    EXPECT_GT(expected.shoves, people * std::uint64_t{played_ticks} / 2) << "they hardly met";
    expect_the_same(got, expected);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Two players in each other's way: player 0 walks into player 1.
struct APair : testing::Test {
  static test::YardOptions yard() { return {.spawn = {0, 0.91, -5}, .spacing = {1.5, 0, 0}}; }
  std::unique_ptr<Bench> bench;
  Tick begin;
  static PlayerInput towards_the_other(Tick tick) {
    return {.tick = tick, .forward = 127, .yaw = 16384};
  }
  /// Player 0 walked from `begin` on, but its inputs arrive 14 ticks later.
  void walk_unheard(const Settings& settings, const std::function<void()>& first = {}) {
    bench = std::make_unique<Bench>(yard(), one_worker_map(), settings);
    bench->join(0);
    bench->join(1);
    bench->tick(20);
    if (first) first();
    begin = bench->core->next_tick();
    bench->tick(14);
    for (int i = 0; i < 14; ++i) bench->send(towards_the_other(begin + i), 0);
  }
  const ActorState& state(std::uint32_t n) const { return bench->player(n).state; }
  void expect_unbroken_records() const {
    for (const std::uint32_t n : {0U, 1U}) {
      for (Tick t = begin; before(t + 1, bench->core->next_tick()); ++t) {
        const auto& records = bench->player(n).records;
        EXPECT_EQ(records.find(t)->after, records.find(t + 1)->before) << n;
      }
      EXPECT_EQ(bench->player(n).records.find(bench->core->next_tick() - 1)->after, state(n)) << n;
    }
  }
};

TEST_F(APair, IsRewoundTogetherFromWhereTheyMet) {
  walk_unheard(without_claims());
  const Vec3 stood = state(1).position;
  bench->tick();
  EXPECT_GT(state(1).position.x, stood.x + 0.01) << "pushed";
  const std::uint64_t steps = bench->count(metric.rollback_ticks);
  EXPECT_GT(steps, 14U);
  EXPECT_LT(steps, 14U + 12U) << "from the contact on, not from the beginning";
  expect_unbroken_records();
}

TEST_F(APair, StaysAsItWasBeyondTheBudgetAndIsCounted) {
  Settings settings = without_claims();
  settings.rewind_steps_max = 13;
  walk_unheard(settings);
  const ActorState guessed = state(0);
  bench->tick();
  EXPECT_EQ(bench->count(metric.rollback_ticks), 0U);
  EXPECT_EQ(bench->count(metric.rollback_ticks_refused), 14U);
  EXPECT_NEAR(state(0).position.x, guessed.position.x, 0.2) << "one tick of a walk";
  expect_unbroken_records();
}

TEST_F(APair, LosesOnlyWhatTheBudgetDoesNotCover) {
  Settings settings = without_claims();
  settings.rewind_steps_max = 14;
  walk_unheard(settings);
  const ActorState stood = state(1);
  bench->tick();
  EXPECT_EQ(bench->count(metric.rollback_ticks), 14U) << "who was late";
  EXPECT_GT(bench->count(metric.rollback_ticks_refused), 0U) << "who was pushed";
  EXPECT_NEAR(state(1).position.x, stood.position.x, 0.08) << "by this tick alone";
  expect_unbroken_records();
}

// Ticks that its own client chose to be final stay final.
TEST_F(APair, IsNotRewoundWhereRollbackIsOff) {
  walk_unheard(without_claims(), [&] {
    ControlFrame frame = bench->frame_of({{.tick = bench->core->next_tick()}}, 1);
    frame.techniques.rollback = false;
    bench->send(frame, 1);
    bench->tick();
  });
  bench->tick();
  EXPECT_EQ(bench->count(metric.rollback_ticks), 14U);
  expect_unbroken_records();
}

}  // namespace
}  // namespace perigee::worker
