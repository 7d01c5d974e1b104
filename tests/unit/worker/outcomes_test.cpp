// Irreversible outcomes: shots, judged by the state that their player's client displayed, committed
// once no input can change them any more.
#include <set>

#include "crowd.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

/// Players three metres apart along x, with nothing between them.
struct Duel : testing::Test {
  Bench bench{{.spawn = {0, 0.91, -5}, .weapons = true}, one_worker_map(), without_claims()};
  void join(std::uint32_t people) {
    for (std::uint32_t n = 0; n < people; ++n) bench.join(n);
    bench.tick(20);
  }
  Tick now() const { return bench.core->next_tick(); }
  const JournalLog& journal() const { return bench.core->journal(); }
  const test::Marksman& person(std::uint32_t n) const {
    return bench.player(n).game.as<test::Marksman>();
  }
  /// The newest verdict on each shot of the player.
  std::map<std::uint32_t, EffectEvent> verdicts(std::uint32_t n) const {
    std::map<std::uint32_t, EffectEvent> last;
    for (const EffectEvent& e : bench.sent<EffectEvent>(session_of(n))) last[e.target.count] = e;
    return last;
  }
  /// Shots of `n` at those ticks, all in time.
  void shoot(std::uint32_t n, std::uint16_t yaw, const std::vector<Tick>& ticks) {
    for (const Tick t : ticks) bench.send(fires(t, yaw), n);
  }
};

// B5, S11: a hit marker at once, all other effects when no input can change the tick any more
TEST_F(Duel, AHitIsMarkedAtOnceAndCountsWhenItsTickHasLeftTheWindow) {
  join(2);
  const Tick t = now();
  shoot(0, to_plus_x, {t});
  bench.tick(3);
  ASSERT_EQ(verdicts(0).size(), 1U);
  EXPECT_EQ(verdicts(0)[t.count].verdict, Verdict::Confirmed);
  EXPECT_EQ(verdicts(0)[t.count].detail, test::hit_detail);
  EXPECT_EQ(verdicts(0)[t.count].index, world::first_cue_index);
  while (before(now(), t + window_ticks)) bench.tick();
  EXPECT_EQ(person(1).hits_left, 3);
  bench.tick();
  EXPECT_EQ(person(1).hits_left, 2);
  EXPECT_EQ(bench.count(metric.outcomes_committed), 1U);
  EXPECT_EQ(bench.count(metric.verdicts_changed), 0U);
}

TEST_F(Duel, AMissIsConfirmedAsAMiss) {
  join(2);
  const Tick t = now();
  shoot(0, to_minus_x, {t});
  bench.tick(40);
  EXPECT_EQ(verdicts(0)[t.count].verdict, Verdict::Confirmed);
  EXPECT_EQ(verdicts(0)[t.count].detail, 0);
  EXPECT_EQ(person(1).hits_left, 3);
}

TEST_F(Duel, TheThirdHitKillsOnceAndBothAreNotified) {
  join(2);
  const Tick t = now();
  shoot(0, to_plus_x, {t, t + 12, t + 24, t + 36, t + 48});
  bench.tick(80);
  EXPECT_TRUE(person(1).dead());
  EXPECT_EQ(person(1).died_at, (t + 24).count);
  EXPECT_EQ(person(0).kills, 1);
  ASSERT_EQ(journal().total(), 1U);
  EXPECT_EQ(journal()[0].tick, t + 24);
  EXPECT_EQ(journal()[0].actor, bench.player(0).avatar);
  EXPECT_EQ(journal()[0].target, bench.player(1).avatar);
  for (const std::uint32_t n : {0U, 1U}) {
    const auto sent = bench.sent<OutcomeEvent>(session_of(n));
    ASSERT_EQ(sent.size(), 1U) << n;
    EXPECT_EQ(sent[0].tick, t + 24);
  }
}

TEST_F(Duel, WhatEverybodyMayKnowOfTheDeadIsSentToEverybody) {
  join(3);
  const Tick t = now();
  shoot(0, to_plus_x, {t, t + 12, t + 24});
  bench.tick(60);
  const auto sent = bench.sent<GameStateEvent>(session_of(2));
  ASSERT_EQ(sent.size(), 3U);  // two hits and a death, of player 1
  world::GameState state;
  const world::GameStateCodec& codec = bench.game.state_codec();
  ASSERT_TRUE(codec.read(sent[2].game, codec.initial, world::SeenBy::Everybody, state));
  EXPECT_EQ(sent[2].handle, bench.player(1).avatar);
  EXPECT_TRUE(state.as<test::Marksman>().dead());
  bench.join(3);  // late joiners receive it with the spawn
  bench.tick(30);
  const auto later = bench.sent<GameStateEvent>(session_of(3));
  ASSERT_FALSE(later.empty());
  EXPECT_EQ(later[0].handle, bench.player(1).avatar);
}

TEST_F(Duel, TheDeadNeitherWalkNorShoot) {
  join(2);
  const Tick t = now();
  shoot(0, to_plus_x, {t, t + 12, t + 24});
  bench.tick(45);
  const Vec3 lies = bench.player(1).state.position;
  for (int i = 0; i < 30; ++i) {
    PlayerInput input = fires(now(), to_minus_x);
    input.forward = 127;
    bench.send(input, 1);
    bench.tick();
  }
  EXPECT_EQ(bench.player(1).state.position.x, lies.x);
  EXPECT_TRUE(verdicts(1).empty());
  EXPECT_EQ(person(0).hits_left, 3);
}

// S2: shots in equal ticks both count, in any order of arrival
TEST_F(Duel, ShotsOfOneTickBothCountHoweverLateOneOfThemCame) {
  for (const int lateness : {0, 7, window_ticks}) {
    SCOPED_TRACE(lateness);
    Bench late({.spawn = {0, 0.91, -5}, .weapons = true}, one_worker_map(), without_claims());
    late.join(0);
    late.join(1);
    late.tick(20);
    const Tick t = late.core->next_tick();
    for (int i = 0; i < 80; ++i) {
      if (i == 0 || i == 12 || i == 24) late.send(fires(t + i, to_plus_x), 0);
      const int shot_at = i - lateness;
      if (shot_at == 0 || shot_at == 12 || shot_at == 24) {
        late.send(fires(t + shot_at, to_minus_x), 1);
      }
      late.tick();
    }
    ASSERT_EQ(late.core->journal().total(), 2U);
    for (const std::uint64_t i : {0U, 1U}) EXPECT_EQ(late.core->journal()[i].tick, t + 24);
    for (const std::uint32_t n : {0U, 1U}) {
      EXPECT_TRUE(late.player(n).game.as<test::Marksman>().dead()) << n;
      EXPECT_EQ(late.player(n).game.as<test::Marksman>().kills, 1) << n;
    }
  }
}

// S2, S11: the earlier shot arrived later, and counts
TEST_F(Duel, AShotThatCameAfterItsShootersDeathIsOverruled) {
  join(2);
  const Tick t = now();
  shoot(0, to_plus_x, {t, t + 12});
  shoot(1, to_minus_x, {t + 1, t + 13, t + 25});  // the third one is one tick later
  bench.tick(35);
  EXPECT_EQ(verdicts(1)[(t + 25).count].detail, test::hit_detail) << "so far";
  bench.send(fires(t + 24, to_plus_x), 0);  // eleven ticks late
  bench.tick(40);
  EXPECT_TRUE(person(1).dead());
  EXPECT_EQ(person(0).hits_left, 1);
  EXPECT_EQ(verdicts(1)[(t + 25).count].verdict, Verdict::Cancelled);
  EXPECT_EQ(verdicts(1)[(t + 25).count].reason, CancelReason::Overruled);
  ASSERT_EQ(journal().total(), 1U);
  EXPECT_EQ(bench.count(metric.verdicts_changed), 1U);
}

// S11: an outcome that a rewind undoes is withdrawn, and never committed
TEST_F(Duel, AShotThatALateInputMakesImpossibleIsWithdrawn) {
  join(2);
  const Tick t = now();
  bench.send(fires(t + 6, to_plus_x), 0);
  bench.tick(9);
  EXPECT_EQ(verdicts(0)[(t + 6).count].detail, test::hit_detail);
  bench.send(fires(t, to_minus_x), 0);  // so the weapon was not loaded at t + 6
  bench.tick(40);
  EXPECT_EQ(verdicts(0)[(t + 6).count].verdict, Verdict::Cancelled);
  EXPECT_EQ(verdicts(0)[t.count].verdict, Verdict::Confirmed);
  EXPECT_EQ(bench.count(metric.outcomes_committed), 1U);
  EXPECT_EQ(person(1).hits_left, 3);
}

// B5: the target is hit where it was displayed, not where it is
TEST_F(Duel, ATargetIsHitWhereItsShooterSawIt) {
  join(2);
  for (int i = 0; i < 30; ++i) {
    bench.send(PlayerInput{.tick = now(), .forward = 127, .yaw = 0}, 1);  // away along z
    bench.tick();
  }
  const std::int32_t age = 6;
  const Vec3 now_at = bench.player(1).state.position;
  const Vec3 seen_at = bench.core->world().pose(bench.player(1).avatar, now() - age)->position;
  ASSERT_GT(distance(now_at, seen_at), 0.45);  // more than its radius
  const auto aim_at = [&](const Vec3& point) {
    const Vec3 way = point - bench.player(0).state.position;
    return static_cast<std::uint16_t>(
        static_cast<std::int32_t>(arc_tangent(way.x, way.z) * (65536 / (2 * pi))));
  };
  const Tick t = now();
  bench.send(fires(t, aim_at(seen_at)), 0);
  bench.send(PlayerInput{.tick = t, .forward = 127, .yaw = 0}, 1);
  bench.tick(3);
  EXPECT_EQ(verdicts(0)[t.count].detail, test::hit_detail);
}

// B8: decided once, with both at the same tick; B6: other players receive the arrow when it is shot
TEST_F(Duel, AnArrowHitsWhoIsThereWhenItComes) {
  join(3);
  const Tick t = now();
  const PlayerInput input{.tick = t, .yaw = to_plus_x, .held = button_alternate};
  bench.send(input, 0);
  bench.tick(3);
  const auto sent = bench.sent<ProjectileEvent>(session_of(1));
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0].actor, bench.player(0).avatar);
  EXPECT_EQ(sent[0].tick, t);
  EXPECT_NEAR(sent[0].velocity.x, 60, 1e-6);
  EXPECT_EQ(verdicts(0)[t.count].detail, 0) << "loosed";
  bench.tick(30);
  EXPECT_EQ(verdicts(0)[t.count].detail, test::hit_detail);
  EXPECT_EQ(person(1).hits_left, 2);
  EXPECT_EQ(person(2).hits_left, 3) << "behind";
}

TEST_F(Duel, AViewFromLongAgoIsClampedAndCounted) {
  join(2);
  PlayerInput input = fires(now(), to_plus_x);
  input.view_age = 31 * 16;
  bench.send(input, 0);
  bench.tick(2);
  EXPECT_EQ(bench.count(metric.views_clamped), 1U);
}

// B5: the age of a view is bounded by the client's acknowledgements
TEST_F(Duel, AViewOlderThanWhatItsClientHadReceivedIsClampedAndCounted) {
  join(2);
  const auto believed = [&](int age_ticks) {
    PlayerInput input = fires(now(), to_plus_x);
    input.view_age = static_cast<std::uint16_t>(age_ticks * 16);
    bench.send(input, 0);
    bench.tick(2);
    return bench.player(0).records.find(input.tick)->input.view_age / 16;
  };
  EXPECT_EQ(believed(15), 15);
  EXPECT_EQ(bench.count(metric.views_clamped), 0U);
  EXPECT_LE(believed(25), 18) << "blocks come every second tick";
  EXPECT_EQ(bench.count(metric.views_clamped), 1U);
  bench.acknowledges = false;
  bench.tick(20);
  EXPECT_EQ(believed(25), 25) << "without news for a third of a second";
  EXPECT_EQ(bench.count(metric.views_clamped), 1U);
}

// An acknowledged event proves that its block has arrived, even if the client reports an older one
// as its newest.
TEST_F(Duel, AViewIsBoundToWhatAcknowledgedEventsProve) {
  join(2);
  bench.frozen_newest_block = now() - 2;
  bench.tick(20);
  bench.send(fires(now(), to_plus_x), 0);
  bench.tick(4);  // its verdict arrives, and is acknowledged
  PlayerInput input = fires(now(), to_plus_x);
  input.view_age = 30 * 16;
  bench.send(input, 0);
  bench.tick(2);
  EXPECT_EQ(bench.count(metric.views_clamped), 1U);
  EXPECT_LE(bench.player(0).records.find(input.tick)->input.view_age / 16, 15 + 6);
}

/// Number of shots that miss although they are aimed at the displayed place of a target that
/// strafes and sends its inputs this late.
int missed_of(Bench& bench, std::int32_t late_ticks, int shots) {
  constexpr std::int32_t age = 6;
  std::map<std::uint32_t, Vec3> shown;
  std::vector<Tick> shot_at;
  const Tick begin = bench.core->next_tick();
  for (std::int32_t i = 0; static_cast<int>(shot_at.size()) < shots || i % 24 != 20; ++i) {
    const Tick now = begin + i;
    const std::int32_t named = i - late_ticks;
    if (named >= 0) {
      const std::int8_t way = (named + 6) / 12 % 2 == 0 ? 127 : -127;  // stays near its start
      bench.send(PlayerInput{.tick = begin + named, .forward = way}, 1);
    }
    if (i >= 120 && i % 24 == 0 && static_cast<int>(shot_at.size()) < shots) {
      const Vec3 way = shown.at((now - age).count) - bench.player(0).state.position;
      PlayerInput input = fires(now, 0);
      input.yaw = static_cast<std::uint16_t>(
          static_cast<std::int32_t>(arc_tangent(way.x, way.z) * (65536 / (2 * pi))));
      bench.send(input, 0);
      shot_at.push_back(now);
    }
    bench.tick();
    shown[bench.core->next_tick().count] = bench.player(1).state.position;
  }
  std::map<std::uint32_t, EffectEvent> last;
  for (const EffectEvent& e : bench.sent<EffectEvent>(session_of(0))) last[e.target.count] = e;
  return static_cast<int>(std::count_if(shot_at.begin(), shot_at.end(), [&](Tick tick) {
    const auto found = last.find(tick.count);
    return found == last.end() || found->second.detail != test::hit_detail;
  }));
}

// B5: a player with inputs that are always late pays for it, not the player that aims well
TEST(WhoIsAlwaysLate, IsHitWhereOthersSawIt) {
  Settings settings = without_claims();
  settings.late_ticks_max = Settings().late_ticks_max;
  const test::YardOptions yard{.spawn = {0, 0.91, -5}, .weapons = true, .hits = 200};
  for (const std::int32_t late_ticks : {0, 14}) {
    SCOPED_TRACE(late_ticks);
    Bench bench(yard, one_worker_map(), settings);
    bench.join(0);
    bench.join(1);
    bench.tick(20);
    EXPECT_EQ(missed_of(bench, late_ticks, 50), 0);
    EXPECT_EQ(bench.count(metric.late_ticks_kept_as_drawn) > 1000, late_ticks > 0);
  }
}

TEST_F(Duel, WhoIsGoneIsNotHit) {
  join(2);
  const Tick t = now();
  shoot(0, to_plus_x, {t, t + 12, t + 24});
  bench.tick(30);
  bench.leave(1);
  bench.tick(40);
  EXPECT_EQ(journal().total(), 0U);
}

/// One of two players is shot dead, and begins anew.
std::unique_ptr<Bench> shot_and_begun_anew(const test::YardOptions& options) {
  auto bench = std::make_unique<Bench>(options, one_worker_map(), without_claims());
  bench->join(0);
  bench->join(1);
  bench->tick(10);
  const Tick t = bench->core->next_tick();
  for (const int i : {0, 12, 24}) bench->send(fires(t + i, to_plus_x), 0);
  bench->tick(24 + 60 + window_ticks + 4);
  return bench;
}

TEST(AnActor, IsPlacedWhereTheGameSaysWithItsState) {
  const world::ActorPlace there{.position = {40, 12, -7}, .velocity = {0, 0, 6}};
  const auto bench = shot_and_begun_anew(
      {.spawn = {0, 0.91, -5}, .weapons = true, .dead_ticks = 60, .placed = there});
  const Player& player = bench->player(1);
  EXPECT_EQ(player.game.as<test::Marksman>().hits_left, 3);
  EXPECT_EQ(bench->count(metric.actors_placed), 1U);
  EXPECT_EQ(bench->count(metric.respawns), 0U);
  EXPECT_NEAR(player.state.position.x, 40, 1e-9);
  EXPECT_GT(player.state.position.z, -7);
  EXPECT_EQ(player.parent, no_entity);
  EXPECT_FALSE(player.placed);
}

TEST(AnActor, StaysIfTheGamesPlaceIsUnusable) {
  const world::ActorPlace nan{.position = {std::nan(""), 0, 0}};
  const world::ActorPlace outside{.position = {1e6, 0, 0}};
  const world::ActorPlace unknown{.parent = 77'777, .position = {1, 1, 1}};
  const world::ActorPlace fast{.position = {1, 1, 1}, .velocity = {1e6F, 0, 0}};
  for (const world::ActorPlace& place : {nan, outside, unknown, fast}) {
    const auto bench = shot_and_begun_anew(
        {.spawn = {0, 0.91, -5}, .weapons = true, .dead_ticks = 60, .placed = place});
    EXPECT_NEAR(bench->player(1).state.position.z, -5, 0.1);
    EXPECT_EQ(bench->count(metric.actors_placed), 0U);
    EXPECT_GE(bench->count(metric.game_values_refused), 1U);
  }
}

TEST(AnActor, BeginsAnewWhereTheGameSaysAndIsNotified) {
  Bench bench({.spawn = {0, 0.91, -5}, .weapons = true, .dead_ticks = 60}, one_worker_map(),
              without_claims());
  bench.join(0);
  bench.join(1);
  bench.tick(10);
  for (int i = 0; i < 30; ++i) {  // 2.5 m from its start
    bench.send(PlayerInput{.tick = bench.core->next_tick(), .forward = -127, .yaw = to_plus_x}, 0);
    bench.tick();
  }
  const std::uint8_t epoch = bench.player(1).reset_epoch;
  const Tick t = bench.core->next_tick();
  for (const int i : {0, 12, 24}) bench.send(fires(t + i, to_plus_x), 0);
  bench.tick(24 + 60 + window_ticks);
  EXPECT_TRUE(bench.player(1).game.as<test::Marksman>().dead());
  bench.tick(4);
  EXPECT_EQ(bench.player(1).game.as<test::Marksman>().hits_left, 3);
  EXPECT_NEAR(bench.player(1).state.position.x, 3, 1e-9);
  EXPECT_EQ(bench.player(1).reset_epoch, static_cast<std::uint8_t>(epoch + 1));
  EXPECT_EQ(bench.count(metric.respawns), 1U);
  const auto own = std::find_if(bench.blocks.rbegin(), bench.blocks.rend(), [](const ReadBlock& b) {
    return b.own && b.session == session_of(1);
  });
  EXPECT_NEAR(own->own->final_state.position.x, 3, 1e-9);
  EXPECT_EQ(own->own->reset_epoch, static_cast<std::uint8_t>(epoch + 1));
}

TEST(AJournalLog, KeepsTheNewestAndCountsAll) {
  JournalLog log(3);
  EXPECT_EQ(log.oldest(), 0U);
  for (std::int32_t i = 0; i < 5; ++i) log.add({.amount = i});
  EXPECT_EQ(log.total(), 5U);
  EXPECT_EQ(log.oldest(), 2U);
  for (std::uint64_t n = log.oldest(); n < log.total(); ++n) {
    EXPECT_EQ(log[n].amount, static_cast<std::int32_t>(n));
  }
}

// --- the property: link faults inside the window do not change the result

constexpr int fight_ticks = 420;

/// Up and down their lanes, shooting to both sides; or all over the place.
std::vector<PlayerInput> fight(std::uint64_t seed, bool crowded) {
  Random random(seed);
  std::vector<PlayerInput> inputs;
  PlayerInput input;
  for (int i = 0; i < fight_ticks; ++i) {
    input.tick = Bench::start + i;
    input.samples.clear();
    if (i % 20 == 0) {
      input.yaw = random.below(2) == 0 ? to_plus_x : to_minus_x;
      input.right = static_cast<std::int8_t>(random.below(3) * 60 - 60.0);
      if (crowded) input.forward = static_cast<std::int8_t>(random.below(3) * 100 - 100.0);
      const std::uint32_t weapon = random.below(6);
      input.held = weapon < 2 ? button_fire : weapon == 2 ? button_alternate : 0;
    }
    if (random.below(25) == 0) input.samples.push_back({.pressed = button_fire});
    input.view_age = aims(input, buttons_aimed) ? static_cast<std::uint16_t>(40 + random.below(100))
                                                : std::uint16_t{0};
    inputs.push_back(input);
  }
  return inputs;
}

struct Fight : Crowd {
  Fight(std::uint64_t seed, bool crowded)
      : Crowd({.spawn = {crowded ? -2.0 : 0.0, 0.91, crowded ? 0.0 : -5.0},
               .spacing = {crowded ? 0.7 : 3.0, 0, 0},
               .pen = crowded,
               .weapons = true},
              6, seed, [&](std::uint64_t own) { return fight(own, crowded); }) {}
  std::map<std::pair<std::uint32_t, std::uint8_t>, EffectEvent> verdicts(std::uint32_t n) const {
    std::map<std::pair<std::uint32_t, std::uint8_t>, EffectEvent> last;
    for (const EffectEvent& e : bench.sent<EffectEvent>(session_of(n))) {
      last[{e.target.count, e.index}] = e;
    }
    return last;
  }
};

void expect_the_same_whatever_the_links_do(bool crowded) {
  std::size_t kills = 0;
  std::uint64_t changed = 0;
  const std::uint64_t seeds = seeds_of(20, 5);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(seed);
    Fight expected(seed, crowded);
    Fight got(seed, crowded);
    expected.play_in_time();
    got.play_through_weather(seed);
    ASSERT_EQ(got.bench.count(metric.inputs_too_late), 0U);
    ASSERT_GT(got.bench.count(metric.rollback_ticks), 500U);
    ASSERT_EQ(got.journal(), expected.journal());
    ASSERT_EQ(got.bench.core->journal().total(), got.journal().size());
    std::set<Handle> dead;
    for (const world::JournalEntry& entry : got.journal()) {
      EXPECT_TRUE(dead.insert(entry.target).second) << "killed twice";
    }
    for (std::uint32_t n = 0; n < got.people(); ++n) {
      SCOPED_TRACE(n);
      ASSERT_EQ(got.bench.player(n).game, expected.bench.player(n).game);
      ASSERT_EQ(got.bench.player(n).state, expected.bench.player(n).state);
      EXPECT_EQ(got.bench.player(n).game.as<test::Marksman>().dead(),
                dead.contains(got.bench.player(n).avatar));
      EXPECT_EQ(got.bench.sent<OutcomeEvent>(session_of(n)).size(),
                expected.bench.sent<OutcomeEvent>(session_of(n)).size());
      const auto crash_report = got.verdicts(n);
      for (const auto& [name, verdict] : expected.verdicts(n)) {
        ASSERT_TRUE(crash_report.contains(name));
        EXPECT_EQ(crash_report.at(name).verdict, verdict.verdict);
        EXPECT_EQ(crash_report.at(name).detail, verdict.detail);
      }
      for (const auto& [name, verdict] : crash_report) {
        if (expected.verdicts(n).contains(name)) continue;
        EXPECT_EQ(verdict.verdict, Verdict::Cancelled) << "of a shot that was not";
      }
    }
    kills += got.journal().size();
    changed += got.bench.count(metric.verdicts_changed);
  }
  EXPECT_GT(kills, seeds);
  EXPECT_GT(changed, seeds) << "the weather did not matter";
}

TEST(AFight, EndsTheSameWhateverTheLinksDoInsideTheWindow) {
  expect_the_same_whatever_the_links_do(false);
}

TEST(AFight, AmongPeopleWhoPushEachOtherEndsTheSame) {
  expect_the_same_whatever_the_links_do(true);
}

}  // namespace
}  // namespace perigee::worker
