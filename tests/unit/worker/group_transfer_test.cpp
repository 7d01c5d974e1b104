/// A group migrates to another worker in play: no input of its players is lost, applied twice, or
/// applied differently.
#include <gmock/gmock.h>

#include "crowd.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

const test::YardOptions aboard{.spawn = {0, 20.91, 0},
                               .spacing = {1.2, 0, 0.4},
                               .barge = true,
                               .barge_velocity = {3, 0, 1},
                               .weapons = true};
/// The same yard with the same handles, but without the barge: that arrives later.
test::YardOptions without_barge() {
  test::YardOptions options = aboard;
  options.barge = false;
  return options;
}

/// Walks about, turns, jumps, and shoots.
std::vector<PlayerInput> busy(std::uint64_t seed) {
  Random random(seed);
  std::vector<PlayerInput> out(400);
  PlayerInput input;
  for (std::size_t i = 0; i < out.size(); ++i) {
    input.tick = Bench::start + static_cast<std::int32_t>(i);
    input.samples.clear();
    if (random.below(20) == 0) {
      input.forward = static_cast<std::int8_t>(random.below(255));
      input.right = static_cast<std::int8_t>(random.below(255));
      input.yaw = static_cast<std::uint16_t>(random.below(65536));
    }
    if (random.below(30) == 0) input.samples.push_back({.pressed = button_jump});
    if (random.below(15) == 0) input.samples.push_back({.pressed = button_fire});
    out[i] = input;
  }
  return out;
}

/// One crowd, of which a group migrates from one core to another, and possibly back.
struct TwoWorkers : Crowd {
  Bench there;
  bool moved = false;
  std::size_t most_bytes = 0;

  TwoWorkers(std::uint32_t people, std::uint64_t seed)
      : Crowd(aboard, people, seed, busy),
        there(without_barge(), one_worker_map(), without_claims()) {}

  Bench& owner() { return moved ? there : bench; }
  void send_to_owner(std::uint32_t n, int newest) {
    std::vector<PlayerInput> carried;
    for (int i = newest; i >= 0 && carried.size() < ControlFrame::inputs_max; --i) {
      carried.push_back(inputs[n][static_cast<std::size_t>(i)]);
    }
    owner().send(owner().frame_of(carried, n), n);
  }
  /// Migrates the barge with all players aboard, and then all other players.
  void migrate() {
    Core& from = *owner().core;
    const Handle barge = test::Yard::handle_of(from.world(), test::barge_row);
    std::vector<std::vector<std::byte>> groups{from.send_group(barge).bytes};
    for (std::uint32_t n = 0; n < people(); ++n) {
      const Player* left = from.player_of(100 + n);
      if (left == nullptr) continue;
      ASSERT_TRUE(from.can_send_group(left->avatar));
      groups.push_back(from.send_group(left->avatar).bytes);
    }
    EXPECT_EQ(from.summary().players, 0U);
    moved = !moved;
    Core& to = *owner().core;
    for (const auto& bytes : groups) {
      ASSERT_TRUE(to.receive_group(bytes));
      most_bytes = std::max(most_bytes, bytes.size());
    }
  }
  /// Every `period` ticks all groups migrate; 0: never.
  void play_through_weather_and_borders(std::uint64_t seed, int period) {
    Random random(seed + 1000);
    std::multimap<int, std::pair<std::uint32_t, int>> under_way;
    for (int i = 0; i < ticks() + 40; ++i) {
      for (std::uint32_t n = 0; n < people() && i < ticks() + 10; ++n) {
        if (random.below(100) < 20) continue;
        under_way.emplace(i + static_cast<int>(random.below(7)),
                          std::pair(n, std::min(i, ticks() - 1)));
      }
      for (auto it = under_way.begin(); it != under_way.end() && it->first <= i;) {
        send_to_owner(it->second.first, it->second.second);
        it = under_way.erase(it);
      }
      if (period > 0 && i >= 100 && i % period == 0) migrate();
      bench.tick();
      there.tick();
    }
  }
};

TEST(AGroupWithItsPlayers, PlaysOnElsewhereAsIfItHadNeverMoved) {
  for (std::uint64_t seed = 1; seed <= seeds_of(10, 2); ++seed) {
    constexpr std::uint32_t people = 4;
    TwoWorkers alone(people, seed);
    alone.play_through_weather_and_borders(seed, 0);
    TwoWorkers two(people, seed);
    two.play_through_weather_and_borders(seed, 37);
    EXPECT_GT(two.bench.count(metric.rollback_ticks), 100U);
    EXPECT_GT(two.there.count(metric.rollback_ticks), 100U);
    EXPECT_LT(two.most_bytes, 400'000U) << "a ship with a crew of four";
    for (std::uint32_t n = 0; n < people; ++n) {
      const Player* expected = alone.bench.core->player_of(100 + n);
      const Player* got = two.owner().core->player_of(100 + n);
      ASSERT_NE(got, nullptr);
      EXPECT_EQ(got->parent, expected->parent);
      EXPECT_EQ(got->state, expected->state) << "player " << n << ", seed " << seed;
      EXPECT_EQ(got->game, expected->game);
      EXPECT_EQ(got->sent_game, expected->sent_game);
    }
  }
}

TEST(AGroupWithItsPlayers, WritesEveryOutcomeOnce) {
  std::size_t outcomes = 0;
  for (std::uint64_t seed = 1; seed <= seeds_of(10, 2); ++seed) {
    constexpr std::uint32_t people = 4;
    TwoWorkers alone(people, seed);
    alone.play_through_weather_and_borders(seed, 0);
    TwoWorkers two(people, seed);
    two.play_through_weather_and_borders(seed, 37);
    auto written = two.journal();
    const JournalLog& elsewhere = two.there.core->journal();
    for (std::uint64_t n = elsewhere.oldest(); n < elsewhere.total(); ++n) {
      written.push_back(elsewhere[n]);
    }
    std::stable_sort(written.begin(), written.end(),
                     [](const auto& a, const auto& b) { return before(a.tick, b.tick); });
    EXPECT_EQ(written, alone.journal());
    outcomes += written.size();
  }
  EXPECT_GT(outcomes, 0U);
}

// Inputs that are too late near a migration may be late because of it; others are not.
TEST(AGroupWithItsPlayers, HasItsLateInputsCountedAsThoseOfTheMove) {
  TwoWorkers two(1, 1);
  const auto tick = [&](int times) {
    for (int i = 0; i < times; ++i) two.bench.tick(), two.there.tick();
  };
  const auto say = [&](Tick named) {
    PlayerInput input;
    input.tick = named;
    two.owner().send(input);
  };
  tick(60);
  two.migrate();
  const Tick moved = two.there.core->next_tick();
  tick(60);
  for (const int since : {-16, -15, 0, 29, 30}) {
    say(moved + since);
    say(moved + since);
  }
  EXPECT_EQ(two.there.count(metric.inputs_too_late_moved), 3U);
  EXPECT_EQ(two.there.count(metric.inputs_too_late), 2U);
  EXPECT_EQ(two.there.count(metric.inputs_duplicate), 5U);
}

/// The player's client acknowledges blocks so late.
void acknowledge_late(Bench& bench, std::int32_t late_ticks) {
  const Tick heard = bench.core->next_tick() - late_ticks;
  for (auto it = bench.blocks.rbegin(); it != bench.blocks.rend(); ++it) {
    if (before(heard, it->header.tick)) continue;
    Bytes bytes(64);
    const auto written = write_acknowledge({it->header.stream_epoch, {}, it->header.tick}, bytes);
    bench.gateway_says(
        InputRecord{session_of(0), bench.now_fine(), stream_of_worker(WorkerSlot{0}), written});
    return;
  }
}
/// Between the own sections of the last ticks.
std::int32_t own_period_ticks(const Bench& bench) {
  std::vector<Tick> ticks;
  for (const ReadBlock& block : bench.blocks) {
    if (block.own) ticks.push_back(block.header.tick);
  }
  return ticks.size() < 2 ? 0 : ticks_between(ticks[ticks.size() - 2], ticks.back());
}

TEST(AGroupWithItsPlayers, TakesAlongWhatThePlayersPathCarries) {
  Bench here(aboard), there(without_barge());
  here.join();
  here.acknowledges = false;
  for (int i = 0; i < 240; ++i) {
    acknowledge_late(here, i < 120 ? 4 : 40);
    here.stand(1);
  }
  there.tick(240);
  ASSERT_GT(here.count(metric.seconds_slowed), 0U);
  ASSERT_EQ(own_period_ticks(here), send_slot_ticks);
  const Handle barge = here.find(test::barge_row);
  ASSERT_TRUE(there.core->receive_group(here.core->send_group(barge).bytes));
  there.stand(10);
  EXPECT_EQ(own_period_ticks(there), send_slot_ticks);
  const std::uint64_t slowed = there.count(metric.seconds_slowed);
  there.stand(60);
  EXPECT_GT(there.count(metric.seconds_slowed), slowed);
}

TEST(AGroupWithItsPlayers, IsRefusedByWhoIsAtAnotherTick) {
  TwoWorkers two(1, 1);
  two.bench.tick(5);
  two.there.tick(4);
  EXPECT_FALSE(
      two.there.core->receive_group(two.bench.core->send_group(two.bench.player().avatar).bytes));
  EXPECT_EQ(two.there.core->summary().players, 0U);
}

// A gap's first missing tick waits to run again, with a newer `before` than its result.
TEST(AGroupWithItsPlayers, GoesOnInAnOpenGap) {
  const auto walk_at = [](Tick tick) {
    PlayerInput input;
    input.tick = tick;
    input.forward = 127;
    return input;
  };
  int waiting = 0;
  for (int silent = 28; silent < 42; ++silent) {
    Bench here, there;
    here.join();
    for (int i = 0; i < 20; ++i, here.tick(), there.tick()) {
      const Tick now = here.core->next_tick();
      here.send(here.frame_of({walk_at(now), walk_at(now - 1)}));
    }
    const Tick missed = here.core->next_tick();
    for (int i = 0; i < silent; ++i, here.tick(), there.tick()) {
    }
    ASSERT_EQ(here.count(metric.gaps_opened), 1U);
    // The ticks from `missed + 12` on are still missing.
    std::vector<PlayerInput> late;
    for (int i = 12; i-- > 0;) late.push_back(walk_at(missed + i));
    here.send(here.frame_of(late));
    here.tick();
    there.tick();
    const Vec3 position = here.player().state.position;
    const std::uint8_t reset_epoch = here.player().reset_epoch;
    const bool waits = !here.player().wrong.empty();
    ASSERT_TRUE(there.core->receive_group(here.core->send_group(here.player().avatar).bytes));
    EXPECT_EQ(there.count(metric.players_replayed_differently), 0U) << silent;
    EXPECT_EQ(there.player().state.position, position);
    EXPECT_EQ(there.player().reset_epoch, reset_epoch);
    waiting += waits;
  }
  EXPECT_GT(waiting, 8) << "now and then all ticks run again";
}

// The bytes of some ticks are changed, so that these ticks give other results than the recorded
// ones.
TEST(AGroupWithItsPlayers, StartsWhereItStoodIfItsTicksComeOutOtherwise) {
  TwoWorkers two(1, 1);
  for (int i = 0; i < 90; ++i) {
    two.send_to_owner(0, i);
    two.bench.tick();
    two.there.tick();
  }
  const std::uint8_t reset_epoch = two.bench.player().reset_epoch;
  const auto bytes = two.bench.core->send_group(two.bench.player().avatar).bytes;
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    auto damaged = bytes;
    damaged[damaged.size() - 1 - random.below(4000)] ^= std::byte{1};
    Core& there = *two.there.core;
    const std::uint64_t differently = two.there.count(metric.players_replayed_differently);
    if (!there.receive_group(damaged)) continue;
    const Player& player = *there.player_of(100);
    if (two.there.count(metric.players_replayed_differently) > differently) {
      EXPECT_NE(player.reset_epoch, reset_epoch) << "its client adopts the state of the worker";
      EXPECT_EQ(player.records.find(two.there.core->next_tick() - 1), nullptr);
    }
    there.send_group(player.avatar);
    EXPECT_EQ(there.summary().players, 0U);
  }
  EXPECT_GT(two.there.count(metric.players_replayed_differently), 50U);
}

}  // namespace
}  // namespace perigee::worker
