#include "perigee/client/rough_place.hpp"

#include <gtest/gtest.h>

#include "perigee/base/hash.hpp"
#include "perigee/client/entity_store.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {
namespace {

Vec3 somewhere(Random& random, double size) {
  return {random.between(-size, size), random.between(-size, size), random.between(-size, size)};
}

TEST(ARoughPlace, BoundsEveryPlaceAndSpeedOfATrack) {
  Random random(11);
  for (int i = 0; i < 2'000; ++i) {
    Track track;
    track.tick = Tick{500};
    track.curve = static_cast<TrackCurve>(i % 4);
    track.position = somewhere(random, 100);
    track.velocity = somewhere(random, 40);
    track.acceleration = somewhere(random, 20);
    const RoughPlace rough = RoughPlace::on_track(3, track, 2, 1);
    for (const std::int32_t after : {0, 1, 30, 600}) {
      const TrackPlace exact = place_at(track, after);
      const double after_s = after * seconds_per_tick;
      EXPECT_GE(rough.moved_m(after_s, 0), distance(track.position, exact.position)) << i;
      EXPECT_GE(rough.moved_m(after_s, 2) - rough.moved_m(after_s, 0), 2 * length(exact.velocity));
    }
  }
}

// The bounds save work, and never change a result.
TEST(AnEntityStore, FindsTheSameEntitiesBeyondByBounds) {
  const test::Yard game;
  EntityStore store(game.types());
  Random random(5);
  for (Handle h = 1; h <= 300; ++h) {
    const bool person = h % 3 != 0;
    SpawnEvent spawn{.handle = h, .identity = h};
    spawn.type = static_cast<std::uint8_t>(person ? test::person_row : test::door_row);
    spawn.parent = h % 5 == 0 ? Handle{1} : no_entity;
    spawn.pose.position = somewhere(random, 60);
    ASSERT_TRUE(store.spawn(spawn, 1));
    if (!person || h % 7 == 0) continue;
    TrackRecord record{.handle = h};
    record.track.tick = Tick{1'000} + static_cast<std::int32_t>(h % 50);
    record.track.curve = static_cast<TrackCurve>(h % 4);
    record.track.position = somewhere(random, 60);
    record.track.velocity = somewhere(random, 6);
    record.track.acceleration = somewhere(random, 3);
    record.sent = record.track.tick;
    ASSERT_TRUE(store.record({.parent = h % 4 == 0 ? Handle{1} : no_entity}, record, 1));
  }
  int beyond = 0;
  const auto compare = [&] {
    for (int i = 0; i < 50; ++i) {
      const EntityStore::Viewer viewer{i % 2 == 0 ? Handle{1} : no_entity, somewhere(random, 60),
                                       somewhere(random, 60)};
      const auto all = store.all();
      for (std::size_t at = 0; at < all.size(); ++at) {
        const bool exact = store.surely_beyond(*all[at], viewer, 2);
        ASSERT_EQ(store.surely_beyond(at, viewer, 2), exact) << all[at]->handle;
        beyond += exact;
      }
    }
  };
  compare();
  store.heard(1, Tick{1'090});
  compare();
  for (Handle h = 4; h <= 300; h += 9) store.despawn(h);
  compare();
  EXPECT_GT(beyond, 1'000);
}

/// Players on tracks in the world, on a deck that rests, on a barge, and on crates of the barge.
class ACrowd : public testing::Test {
 protected:
  static constexpr Handle deck = 1, barge = 2, first = 10, last = 400;
  static constexpr Tick now{1'100};
  ACrowd() {
    put_deck(0.4);
    store.spawn({.handle = barge, .identity = barge, .type = test::barge_row}, 1);
    track(barge, no_entity, 30);
    for (Handle h = first; h <= last; ++h) {
      store.spawn({.handle = h, .identity = h, .type = test::person_row}, 1);
      if (h % 9 != 0) track(h, h % 4 == 0 ? no_entity : h % 4 == 1 ? barge : deck, 12);
    }
    store.heard(1, now - 3);
  }
  void put_deck(double yaw_rad) {
    SpawnEvent spawn{.handle = deck, .identity = deck, .type = test::deck_row};
    spawn.pose = {{3, 1, -2}, yaw_rotation(yaw_rad)};
    spawn.respawns = static_cast<std::uint8_t>(yaw_rad * 10);
    ASSERT_TRUE(store.spawn(spawn, 1));
  }
  void track(Handle handle, Handle frame, double size_m) {
    TrackRecord record{.handle = handle};
    record.track.tick = now - static_cast<std::int32_t>(handle % 60);
    record.track.curve = static_cast<TrackCurve>(handle % 4);
    record.track.turn = TrackTurn::Full;
    record.track.position = somewhere(random, size_m);
    record.track.velocity = somewhere(random, 5);
    record.track.acceleration = somewhere(random, 3);
    record.track.rotation = yaw_rotation(random.between(-3, 3));
    record.sent = record.track.tick;
    ASSERT_TRUE(store.record({.parent = frame}, record, 1));
  }
  /// Counts those that the tick's collisions would miss, and those in the way.
  void look(const Pose& parent, const EntityStore::SweptSpace& swept) {
    const auto all = store.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i]->handle < first) continue;
      const auto start = store.expected_at(*all[i], swept.at);
      const auto end = store.expected_at(*all[i], swept.at + 1);
      bool meets = false;
      if (start && end) {
        const world::Bounds& body = store.type_of(*all[i]).shape->bounds();
        meets = world::overlap(world::united(world::transformed(relative(parent, *start), body),
                                             world::transformed(relative(parent, *end), body)),
                               swept.around);
      }
      const bool misses = store.surely_misses(i, swept);
      EXPECT_FALSE(misses && meets) << all[i]->handle;
      missing += misses;
      meeting += meets;
    }
  }
  void look_from_the_deck() {
    const Pose parent = store.motion_at(deck, now)->pose;
    for (int i = 0; i < 200; ++i) {
      const Vec3 at = somewhere(random, 12), half{1.5, 2, 1.5};
      const Tick tick = now - 20 + i % 30;
      look(parent, {{deck, at, transform(parent, at)}, 3, tick, {at - half, at + half}, &parent});
    }
  }

  const test::Yard game;
  EntityStore store{game.types()};
  Random random{17};
  int missing = 0, meeting = 0;
};

TEST_F(ACrowd, IsPassedByOnlyIfNobodyIsInTheWay) {
  look_from_the_deck();
  EXPECT_GT(missing, 10 * meeting);
  EXPECT_GT(meeting, 100);
}

// Those on the deck are where its new place is.
TEST_F(ACrowd, MovesWithADeckThatIsReplaced) {
  put_deck(1.3);
  look_from_the_deck();
  EXPECT_GT(meeting, 100);
}

TEST_F(ACrowd, IsBeyondOnlyIfItsLatestPlacesAre) {
  int beyond = 0;
  for (int i = 0; i < 200; ++i) {
    const Handle parent = i % 2 == 0 ? barge : no_entity;
    const Vec3 at = somewhere(random, 12), world = somewhere(random, 12);
    const auto all = store.all();
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!store.latest_beyond(k, {parent, at, world}, 2.5) || all[k]->tracks.empty()) continue;
      const Handle frame = all[k]->tracks.frame();
      if (frame != parent && frame != no_entity) continue;
      EXPECT_GT(distance(store.latest_place(*all[k]).position, frame == parent ? at : world), 2.5);
      ++beyond;
    }
  }
  EXPECT_GT(beyond, 1'000);
}

}  // namespace
}  // namespace perigee::client
