#include "perigee/client/entity_store.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "perigee/base/hash.hpp"
#include "track_records.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {
namespace {

SpawnEvent spawn_of(Handle handle, std::uint8_t type, Handle parent = no_entity,
                    const Vec3& at = {}) {
  SpawnEvent event{handle, handle * 3ULL, type};
  event.parent = parent;
  event.pose.position = at;
  return event;
}

struct AStore : testing::Test {
  test::Yard game;
  EntityStore store{game.types()};
  void sample(Handle handle, std::uint32_t tick, Handle parent, const Vec3& at,
              const Vec3& velocity = {}) {
    ASSERT_TRUE(
        store.record({.parent = parent}, test::straight(handle, Tick{tick}, at, velocity), 1));
    store.heard(1, Tick{tick});
  }
};

TEST_F(AStore, KnowsWhatItHasReceived) {
  EXPECT_TRUE(store.spawn(spawn_of(5, test::barge_row), 1));
  EXPECT_TRUE(store.spawn(spawn_of(3, test::deck_row), 1));
  ASSERT_NE(store.find(5), nullptr);
  EXPECT_EQ(store.find(4), nullptr);
  EXPECT_EQ(store.all()[0]->handle, 3U);  // sorted by handle
  store.despawn(5);
  store.despawn(5);
  EXPECT_EQ(store.find(5), nullptr);
  EXPECT_EQ(store.all().size(), 1U);
}

TEST_F(AStore, RefusesWhatMakesNoSense) {
  EXPECT_FALSE(store.spawn(spawn_of(5, test::yard_rows), 1));
  EXPECT_FALSE(store.spawn(spawn_of(no_entity, test::deck_row), 1));
  EXPECT_FALSE(store.record({}, test::straight(77, Tick{1}, {}), 1));
  store.timeline({77, Tick{1}, 1, 1});
  store.parent_motions().store({77, Tick{1}, {}}, Tick{1});
  EXPECT_TRUE(store.all().empty());
}

GameBytes some_game(int value) {
  GameBytes out;
  out.push_back(std::byte(value));
  return out;
}

// After a migration, the events of two workers arrive in any order.
TEST_F(AStore, KeepsTheNewestStateOfAThing) {
  store.spawn(spawn_of(5, test::pillar_row), 1);
  store.game_state({5, 3, some_game(3)});
  store.game_state({5, 2, some_game(2)});
  EXPECT_EQ(store.find(5)->game, some_game(3));
  store.game_state({5, 0xffff'fff0, some_game(9)});
  EXPECT_EQ(store.find(5)->game, some_game(3)) << "before 0";
  store.game_state({5, 40'003, some_game(4)});
  EXPECT_EQ(store.find(5)->game, some_game(4)) << "the changes between are for workers alone";
}

// A worker died, and its successor does not know the last change.
TEST_F(AStore, BelievesTheStateThatFollowsASpawn) {
  store.spawn(spawn_of(5, test::pillar_row), 1);
  store.game_state({5, 3, some_game(3)});
  store.spawn(spawn_of(5, test::pillar_row), 2);
  EXPECT_TRUE(store.find(5)->game.empty()) << "no state follows: it is initial";
  store.game_state({5, 2, some_game(2)});
  EXPECT_EQ(store.find(5)->game, some_game(2));
}

TEST_F(AStore, KeepsStatesThatComeBeforeTheirThings) {
  store.game_state({5, 2, some_game(2)});
  store.game_state({6, 9, some_game(9)});
  store.spawn(spawn_of(5, test::pillar_row), 1);
  EXPECT_EQ(store.find(5)->game, some_game(2));
  store.game_state({5, 1, some_game(1)});
  EXPECT_EQ(store.find(5)->game, some_game(2));
  store.clear();
  store.spawn(spawn_of(6, test::pillar_row), 1);
  EXPECT_TRUE(store.find(6)->game.empty()) << "another session";
  for (Handle h = 1000; h < 1200; ++h) store.game_state({h, 1, some_game(1)});
  store.spawn(spawn_of(1000, test::pillar_row), 1);
  store.spawn(spawn_of(1199, test::pillar_row), 1);
  EXPECT_TRUE(store.find(1000)->game.empty()) << "more than are kept";
  EXPECT_EQ(store.find(1199)->game, some_game(1));
}

TEST_F(AStore, KeepsTheWorldsStateOfTheAvatarsOwner) {
  EXPECT_FALSE(store.world_state());
  store.world_state({77, 5, some_game(5)}, false);
  EXPECT_EQ(store.world_state()->version, 5U);
  store.world_state({77, 4, some_game(4)}, false);
  EXPECT_EQ(store.world_state()->version, 5U) << "a former owner's, late";
  store.world_state({76, 9, some_game(9)}, false);
  EXPECT_EQ(store.world_state()->identity, 77U) << "another world's, of the former owner";
  store.world_state({77, 4, some_game(4)}, true);
  EXPECT_EQ(store.world_state()->game, some_game(4)) << "the worker with version 5 has died";
  store.world_state({78, 1, some_game(1)}, true);
  EXPECT_EQ(store.world_state()->identity, 78U);
  store.clear();
  EXPECT_FALSE(store.world_state());
}

TEST_F(AStore, RefusesMoreThanItsLimit) {
  for (Handle h = 1; h <= EntityStore::entities_max; ++h) {
    ASSERT_TRUE(store.spawn(spawn_of(h, test::barge_row), 1));
  }
  EXPECT_FALSE(store.spawn(spawn_of(EntityStore::entities_max + 1, test::barge_row), 1));
  EXPECT_TRUE(store.spawn(spawn_of(7, test::deck_row), 1));  // a known entity, sent again
}

// The client receives each change of a door some ticks after the worker. Both have the same pose at
// every tick that is displayed, and the door never jumps.
TEST_F(AStore, HasAMashedDoorWhereItsWorkerHasIt) {
  std::uint64_t full = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    world::World world({.types = game.types(), .start = Tick{0xffffff00U}});
    const Handle door =
        world.spawn({.id = world::make_entity_id(1, Tick{}, 1), .type = test::door_row});
    EntityStore at_client(game.types());
    ASSERT_TRUE(at_client.spawn(spawn_of(door, test::door_row), 1));
    const double eagerness = random.unit();
    const auto late = static_cast<std::int32_t>(random.below(60));
    std::deque<std::pair<Tick, world::TimelineChange>> under_way;
    std::vector<Pose> was;  // by tick: the pose at that tick
    const Tick first = world.now();
    for (int i = 0; i < 1'200; ++i) {
      const Tick now = world.now();
      was.push_back(*world.pose(door, now));
      ASSERT_LE(distance(was.back().position, was[was.size() < 2 ? 0 : was.size() - 2].position),
                2 / 30.0 + 1e-9);
      if (random.unit() < eagerness) {
        const auto goal = static_cast<std::uint8_t>(random.below(2));
        const auto change = world.propose_change(door, now, goal);
        const auto added = world.announce(change);
        full += added == world::TimelineLog::Added::Full;
        if (added == world::TimelineLog::Added::Stored) under_way.push_back({now + late, change});
      }
      for (; !under_way.empty() && not_after(under_way.front().first, now); under_way.pop_front()) {
        const world::TimelineChange& c = under_way.front().second;
        at_client.timeline({c.object, c.effect, c.goal, c.version});
      }
      for (std::int32_t ago = late; ago <= 64 && ago <= ticks_between(first, now); ago += 8) {
        const Pose& then = was[static_cast<std::size_t>(ticks_between(first, now - ago))];
        ASSERT_EQ(*world.pose(door, now - ago), then) << i << ' ' << ago;
        ASSERT_EQ(at_client.motion_at(door, now - ago)->pose, then) << i << ' ' << ago;
      }
      if (i % 100 == 0) at_client.settle(now - 128);
      world.step_bodies(now);
    }
  }
  EXPECT_GT(full, 100U);
}

TEST_F(AStore, StartsARespawnedHandleFromNothing) {
  store.spawn(spawn_of(5, test::barge_row), 1);
  sample(5, 100, no_entity, {1, 2, 3});
  SpawnEvent again = spawn_of(5, test::barge_row);
  again.respawns = 1;
  store.spawn(again, 2);
  EXPECT_TRUE(store.find(5)->tracks.empty());
  EXPECT_EQ(store.find(5)->stream, 2);
}

// Events wait for earlier ones that were lost, and records do not.
TEST_F(AStore, KeepsATrackThatOvertookTheDespawnAndSpawnOfItsEntity) {
  store.spawn(spawn_of(5, test::barge_row), 1);
  sample(5, 100, no_entity, {1, 2, 3});
  sample(5, 160, no_entity, {7, 2, 3});  // after it left and came back
  store.despawn(5);
  store.spawn(spawn_of(5, test::barge_row), 1);
  ASSERT_FALSE(store.find(5)->tracks.empty());
  EXPECT_EQ(store.find(5)->tracks.newest_tick(), Tick{160});
  store.spawn(spawn_of(5, test::barge_row), 2);
  EXPECT_FALSE(store.find(5)->tracks.empty()) << "a spawn of what is there";
  EXPECT_EQ(store.find(5)->stream, 2);
  store.despawn(5);
  SpawnEvent other = spawn_of(5, test::barge_row);
  other.identity = 77;
  store.spawn(other, 1);
  EXPECT_TRUE(store.find(5)->tracks.empty()) << "another entity";
  sample(5, 170, no_entity, {7, 2, 3});
  store.despawn(5);
  store.heard(1, Tick{400});
  store.spawn(other, 1);
  EXPECT_TRUE(store.find(5)->tracks.empty()) << "that was long ago";
}

TEST_F(AStore, RemembersTheTracksOfAFewOnly) {
  for (Handle h = 1; h <= 1000; ++h) {
    store.spawn(spawn_of(h, test::barge_row), 1);
    sample(h, 100, no_entity, {1, 2, 3});
    store.despawn(h);
  }
  store.spawn(spawn_of(1000, test::barge_row), 1);
  EXPECT_FALSE(store.find(1000)->tracks.empty());
  store.spawn(spawn_of(1, test::barge_row), 1);
  EXPECT_TRUE(store.find(1)->tracks.empty());
}

TEST_F(AStore, ForgetsOneStreamAndKeepsTheOthers) {
  store.spawn(spawn_of(1, test::barge_row), 1);
  store.spawn(spawn_of(2, test::barge_row), 2);
  store.spawn(spawn_of(3, test::barge_row), 1);
  store.forget_stream(1);
  EXPECT_EQ(store.all().size(), 1U);
  EXPECT_NE(store.find(2), nullptr);
}

TEST_F(AStore, KeepsTheDoorsOfAShipThatAnotherWorkerSendsByNow) {
  store.spawn(spawn_of(5, test::barge_row), 2);
  store.spawn(spawn_of(2, test::door_row, 5), 2);
  sample(5, 100, no_entity, {});
  store.forget_stream(2);
  EXPECT_NE(store.find(2), nullptr) << "it went with its ship";
  store.forget_stream(1);
  EXPECT_TRUE(store.all().empty());
}

// The former owner's block was overtaken by one of the new owner.
TEST_F(AStore, KeepsWhatItsNewOwnerHasNamedAlthoughALateBlockNamesItToo) {
  store.spawn(spawn_of(1, test::barge_row), 2);
  ASSERT_TRUE(store.record({}, test::straight(1, Tick{104}, {}, {}), 1));
  ASSERT_TRUE(store.record({}, test::straight(1, Tick{100}, {}, {}), 2));
  EXPECT_EQ(store.find(1)->stream, 1);
  store.forget_stream(2);
  EXPECT_NE(store.find(1), nullptr);
  ASSERT_TRUE(store.record({}, test::straight(1, Tick{108}, {}, {}), 2)) << "it has migrated back";
  EXPECT_EQ(store.find(1)->stream, 2);
}

TEST_F(AStore, KeepsWhatIsSaidToBeLostIfAnotherWorkerSendsIt) {
  for (const Handle handle : {1U, 2U, 3U, 5U}) store.spawn(spawn_of(handle, test::barge_row), 1);
  store.spawn(spawn_of(4, test::door_row, 5), 1);
  store.spawn(spawn_of(2, test::barge_row), 2);
  for (const Handle handle : {2U, 3U, 4U, 5U, 77U}) store.doubt(handle, 1);
  store.advance(599);
  sample(3, 100, no_entity, {});
  EXPECT_EQ(store.all().size(), 5U);
  store.advance(2);
  EXPECT_EQ(store.find(5), nullptr);
  EXPECT_EQ(store.find(4), nullptr) << "a door of what is gone";
  EXPECT_NE(store.find(1), nullptr);
  EXPECT_NE(store.find(2), nullptr) << "another worker has sent it";
  EXPECT_NE(store.find(3), nullptr) << "received since";
}

// B1, K5: the newest full motion wins, in any order of arrival
TEST_F(AStore, HoldsTheNewestFullMotionOfAParent) {
  store.spawn(spawn_of(5, test::barge_row), 1);
  EXPECT_FALSE(store.motion_at(5, Tick{100}));
  Motion motion;
  motion.velocity = {60, 0, 0};
  motion.pose.position = {1000, 0, 0};
  store.parent_motions().store({5, Tick{100}, motion}, Tick{100});
  Motion older = motion;
  older.pose.position = {0, 0, 0};
  store.parent_motions().store({5, Tick{98}, older}, Tick{98});
  EXPECT_NEAR(store.motion_at(5, Tick{110})->pose.position.x, 1010, 1e-9);
  EXPECT_NEAR(store.motion_at(5, Tick{94})->pose.position.x, 994, 1e-9);
}

TEST_F(AStore, DrawsADoorFromItsLogAtAnyTick) {
  store.spawn(spawn_of(1, test::deck_row, no_entity, {100, 0, 0}), 1);
  store.spawn(spawn_of(2, test::door_row, 1, {2, 0, 0}), 1);
  store.timeline({2, Tick{200}, 1, 1});
  EXPECT_EQ(store.motion_at(2, Tick{200})->pose.position, (Vec3{102, 0, 0}));
  EXPECT_EQ(store.motion_at(2, Tick{230})->pose.position, (Vec3{102, 0, 2}));
  const auto half = store.drawn_world(2, {Tick{200}, 15.5});
  ASSERT_TRUE(half);
  EXPECT_NEAR(half->position.z, 15.5 / 30 * 2, 1e-9);
  // the spawn event of a late joiner has the reached goal
  SpawnEvent open = spawn_of(3, test::door_row, 1);
  open.goal = 1;
  store.spawn(open, 1);
  EXPECT_EQ(store.motion_at(3, Tick{5})->pose.position.z, 2);
}

// The avatar collides with doors as they are at the predicted tick, so a near door is rendered at
// that tick, too.
TEST_F(AStore, DrawsTimelineObjectsNearTheEyeAtItsTimeAndFarOnesAtTheViewTick) {
  store.spawn(spawn_of(1, test::deck_row), 1);
  store.spawn(spawn_of(2, test::door_row, 1), 1);
  store.timeline({2, Tick{200}, 1, 1});
  const auto opened_m = [&](double eye_m) {
    return store.drawn_world(2, {Tick{200}, 3, 12, {eye_m, 0, 0}})->position.z;
  };
  EXPECT_NEAR(opened_m(0), 15 / 30.0 * 2, 1e-9);
  EXPECT_NEAR(opened_m(10), 15 / 30.0 * 2, 1e-9);
  EXPECT_NEAR(opened_m(30), 3 / 30.0 * 2, 1e-9);
  double last = opened_m(10);
  for (double eye_m = 10; eye_m < 30; eye_m += 0.1) {  // without a step on the way
    EXPECT_LE(opened_m(eye_m), last);
    EXPECT_LT(last - opened_m(eye_m), 0.01);
    last = opened_m(eye_m);
  }
}

// K42, V11: a version that is not the newest announced one means that a change is in flight
TEST_F(AStore, KnowsWhetherItsDoorIsUpToDate) {
  EXPECT_FALSE(store.up_to_date({2, 0}));
  store.spawn(spawn_of(2, test::door_row), 1);
  EXPECT_TRUE(store.up_to_date({2, 0}));
  EXPECT_FALSE(store.up_to_date({2, 1}));
  store.timeline({2, Tick{200}, 1, 1});
  EXPECT_TRUE(store.up_to_date({2, 1}));
}

// B3, K6: rendered between two tracks
// V5, S13: after any rewrite by the server, the way to the new path is a curve
TEST_F(AStore, DrawsBetweenTwoTracks) {
  store.spawn(spawn_of(5, test::person_row), 1);
  sample(5, 100, no_entity, {1, 0, 0}, {30, 0, 0});
  sample(5, 104, no_entity, {3, 0, 0}, {30, 0, 0});
  const auto drawn = store.drawn(*store.find(5), {Tick{100}, 2});
  ASSERT_TRUE(drawn);
  EXPECT_NEAR(drawn->pose.position.x, 2, 1e-9);
  EXPECT_FALSE(drawn->extrapolated);
}

// K7: beyond the newest tick that was heard of, extrapolated for 250 ms
// B2: above the delay, extrapolate
TEST_F(AStore, DrawsBeyondTheNewestBlockForAQuarterSecond) {
  store.spawn(spawn_of(5, test::person_row), 1);
  sample(5, 100, no_entity, {0, 0, 0}, {60, 0, 0});
  const auto at = [&](double view) { return *store.drawn(*store.find(5), {Tick{100}, view}); };
  EXPECT_NEAR(at(10).pose.position.x - at(0).pose.position.x, 10, 1e-9);
  EXPECT_TRUE(at(10).extrapolated);
  EXPECT_NEAR(at(100).pose.position.x - at(0).pose.position.x, 15, 1e-9);
  EXPECT_TRUE(at(100).held);
}

// A worker that says nothing of an entity says that it follows its track.
TEST_F(AStore, DrawsAnEntityAlongItsTrackAsLongAsItsWorkerIsHeard) {
  store.spawn(spawn_of(5, test::barge_row), 1);
  sample(5, 100, no_entity, {0, 0, 0}, {60, 0, 0});
  store.heard(2, Tick{700});
  store.heard(1, Tick{700});
  store.heard(1, Tick{690});  // overtaken
  const auto drawn = store.drawn(*store.find(5), {Tick{100}, 600});
  EXPECT_NEAR(drawn->pose.position.x, 600, 1e-9);
  EXPECT_FALSE(drawn->extrapolated);
  EXPECT_TRUE(store.drawn(*store.find(5), {Tick{100}, 616})->held);
  EXPECT_EQ(store.latest(*store.find(5)).tick, Tick{700});
}

// V5: a track that comes after a loss, or late from far away, does not make the entity jump.
TEST_F(AStore, DrawsWithoutAJumpWhatItReceivesLate) {
  constexpr double speed_m_s = 50, metre_a_tick = speed_m_s / 60;
  store.spawn(spawn_of(5, test::barge_row), 1);
  sample(5, 100, no_entity, {0, 0, 0}, {speed_m_s, 0, 0});
  store.heard(1, Tick{130});
  Vec3 before = store.drawn(*store.find(5), {Tick{100}, 20})->pose.position;
  for (int i = 21; i < 200; ++i) {
    const ViewPoint seen{Tick{100}, i - 1.0};
    if (i == 31) {  // it has turned at tick 120
      const auto turned =
          test::straight(5, Tick{120}, {20 * metre_a_tick, 0, 0}, {0, 0, speed_m_s});
      ASSERT_TRUE(store.record({}, turned, 1, seen));
      store.heard(1, Tick{400});
    }
    const Vec3 now =
        store.drawn(*store.find(5), {Tick{100}, static_cast<double>(i)})->pose.position;
    EXPECT_LT(distance(before, now), 4 * metre_a_tick) << i;
    before = now;
  }
  EXPECT_LT(distance(before, Vec3{20, 0, 179} * metre_a_tick), 1e-9) << "and gets there";
}

TEST_F(AStore, DrawsNothingThatItNeverReceived) {
  store.spawn(spawn_of(5, test::person_row), 1);
  EXPECT_FALSE(store.drawn(*store.find(5), {Tick{100}, 2}));
  EXPECT_FALSE(store.drawn_world(5, {Tick{100}, 2}));
  EXPECT_FALSE(store.drawn_world(99, {Tick{100}, 2}));
  EXPECT_TRUE(store.drawn_world(no_entity, {Tick{100}, 2}));
}

// K18: children are rendered in their parents' frames, the whole tree at one view tick
TEST_F(AStore, ResolvesATreeRootFirst) {
  store.spawn(spawn_of(1, test::barge_row), 1);
  store.spawn(spawn_of(2, test::barge_row), 1);
  store.spawn(spawn_of(3, test::person_row), 1);
  for (const std::uint32_t t : {100U, 104U}) {
    const double x = (t - 100) * 1.0;
    GroupFrame cell{.cell = cell_of({500, 0, 0}, Precision::Finest)};
    ASSERT_TRUE(store.record(cell, test::straight(1, Tick{t}, {x, 0, 0}, {60, 0, 0}), 1));
    sample(2, t, 1, {0, 5, 0});
    sample(3, t, 2, {0, 0, 2 + x}, {0, 0, 60});
  }
  const auto root = store.drawn_world(1, {Tick{100}, 2});
  const auto leaf = store.drawn_world(3, {Tick{100}, 2});
  ASSERT_TRUE(root && leaf);
  EXPECT_NEAR(root->position.x, origin_of({.cell = cell_of({500, 0, 0}, Precision::Finest)}).x + 2,
              1e-9);
  EXPECT_LT(distance(leaf->position, root->position + Vec3{0, 5, 4}), 1e-9);
}

// K19: cycles are cut, so they are never followed for ever
TEST_F(AStore, CutsCyclesAndTreesThatAreTooDeep) {
  store.spawn(spawn_of(1, test::barge_row), 1);
  store.spawn(spawn_of(2, test::barge_row), 1);
  store.spawn(spawn_of(3, test::barge_row), 1);
  sample(1, 100, 2, {1, 0, 0});
  sample(2, 100, 1, {1, 0, 0});
  sample(3, 100, 3, {1, 0, 0});
  EXPECT_FALSE(store.drawn_world(1, {Tick{100}, 0}));
  EXPECT_FALSE(store.drawn_world(3, {Tick{100}, 0}));
  for (Handle h = 10; h < 20; ++h) {
    store.spawn(spawn_of(h, test::barge_row), 1);
    sample(h, 100, h == 10 ? no_entity : h - 1, {1, 0, 0});
  }
  EXPECT_TRUE(store.drawn_world(13, {Tick{100}, 0}));
  EXPECT_FALSE(store.drawn_world(19, {Tick{100}, 0}));
}

// Doors with each other as parents: prediction reads their motions, too.
TEST_F(AStore, CutsCyclesOfTimelineObjects) {
  store.spawn(spawn_of(1, test::door_row, 2), 1);
  store.spawn(spawn_of(2, test::door_row, 1), 1);
  store.spawn(spawn_of(3, test::door_row, 3), 1);
  EXPECT_FALSE(store.motion_at(1, Tick{100}));
  EXPECT_FALSE(store.motion_at(3, Tick{100}));
  EXPECT_FALSE(store.drawn_world(1, {Tick{100}, 0}));
}

TEST_F(AStore, ExpectsPeopleToWalkOnForAQuarterSecond) {
  store.spawn(spawn_of(5, test::person_row), 1);
  EXPECT_FALSE(store.expected_at(*store.find(5), Tick{100}));
  sample(5, 100, no_entity, {0, 0, 0}, {6, 0, 0});
  const auto now = store.expected_at(*store.find(5), Tick{100});
  const auto later = store.expected_at(*store.find(5), Tick{110});
  ASSERT_TRUE(now && later);
  EXPECT_NEAR(later->position.x - now->position.x, 1, 1e-9);
  EXPECT_FALSE(store.expected_at(*store.find(5), Tick{116}));
}

}  // namespace
}  // namespace perigee::client
