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

}  // namespace
}  // namespace perigee::client
