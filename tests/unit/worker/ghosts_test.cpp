/// Ghosts at the border between two workers, with all kinds of faults of their link.
#include <gmock/gmock.h>

#include <cstring>

#include "border.hpp"
#include "perigee/base/hash.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

/// Every entity has one owner; a ghost is in a recent state of its owner's, or it is gone.
void expect_ghosts_in_order(Border& border, std::size_t oldest_ticks) {
  for (const Bench* bench : {&border.here, &border.there}) {
    const world::World& world = bench->core->world();
    const world::World& other = border.peer_of(*bench->core).world();
    const Tick now = bench->core->next_tick();
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      const world::Entity* theirs = other.find(handle);
      if (!entity.remote) {
        EXPECT_TRUE(theirs == nullptr || theirs->remote) << handle << " is owned twice";
        continue;
      }
      const auto shown = world.pose(handle, now);
      if (!shown) continue;
      const auto& was = border.owned[handle];
      double off_m = 1e9;
      for (std::size_t ago = 0; ago < std::min(was.size(), oldest_ticks); ++ago) {
        off_m = std::min(off_m, distance(was[ago], shown->position));
      }
      EXPECT_LT(off_m, 0.5) << "ghost " << handle << " of type " << int{entity.type};
    }
  }
}

TEST(TheBorder, ShowsEachWorkerWhatTheOtherOwnsNearIt) {
  Border border;
  border.step(30);
  const world::World& home = border.here.core->world();
  const world::World& abroad = border.there.core->world();
  EXPECT_THAT(ghosts_of(*border.there.core), testing::ElementsAreArray(home.in_order()));
  EXPECT_TRUE(ghosts_of(*border.here.core).empty());
  for (const Handle handle : home.in_order()) {
    EXPECT_EQ(home.find(handle)->id, abroad.find(handle)->id);
    EXPECT_EQ(home.find(handle)->parent, abroad.find(handle)->parent);
    EXPECT_EQ(home.pose(handle, home.now()), abroad.pose(handle, abroad.now()));
  }
}

TEST(TheBorder, IsNotForWhatIsFarAway) {
  test::YardOptions far = yard_at_the_border({});
  far.center_x_m = border_x - 150 - 170;
  Border border(far, far);
  border.step(30);
  EXPECT_TRUE(ghosts_of(*border.there.core).empty());
}

TEST(TheBorder, TakesBackWhatItSentOnceItIsElsewhere) {
  Border border;
  border.step(30);
  ASSERT_FALSE(ghosts_of(*border.there.core).empty());
  ClusterMap map = two_worker_map();
  ++map.version;
  map.regions[0].high.x = map.regions[1].low.x = border_x + 1000;
  for (Bench* bench : {&border.here, &border.there}) {
    bench->core->on_map(map, bench->core->next_tick());
  }
  border.step(60);
  EXPECT_TRUE(ghosts_of(*border.there.core).empty());
}

TEST(TheBorder, SendsDoors) {
  Border border(yard_at_the_border({2, person_m, 2}));
  border.here.join();
  border.step(30);
  const Handle door = border.here.find(test::door_row);
  PlayerInput use;
  use.samples.push_back({.action = ActionKind::Use, .target = door});
  border.play(0, use);
  border.step(20);
  const world::World& home = border.here.core->world();
  const world::World& abroad = border.there.core->world();
  EXPECT_EQ(home.timeline(door)->last_version(), 1);
  EXPECT_EQ(abroad.timeline(door)->last_version(), 1);
  for (int i = 0; i < 60; ++i) {
    border.step();
    EXPECT_EQ(home.pose(door, home.now()), abroad.pose(door, abroad.now()));
  }
}

// Entities are checked once in twelve ticks, and not all in the same tick.
TEST(TheBorder, SendsAShipsDoorsAgainWhereTheShipWasGoneForATick) {
  for (int n = 0; n < 12; ++n) {
    SCOPED_TRACE(n);
    Border border;
    border.step(30 + n);
    for (const double away_m : {1e5, 0.0}) {
      for (Bench* bench : {&border.here, &border.there}) {
        ++bench->map.version;
        bench->map.regions[1].low.x = border_x + away_m;
        bench->map.regions[1].high.x = border_x + 7'000 + away_m;
        bench->core->on_map(bench->map, Bench::start);
      }
      border.step(away_m > 0 ? 3 : 40);
    }
    EXPECT_THAT(ghosts_of(*border.there.core),
                testing::ElementsAreArray(border.here.core->world().in_order()));
  }
}

TEST(TheBorder, IsNotSeenByClients) {
  Border border;
  border.there.join(7, 1);
  border.step(60);
  ASSERT_FALSE(ghosts_of(*border.there.core).empty());
  for (const ReadBlock& block : border.there.blocks) {
    for (const auto& [frame, record] : block.records) EXPECT_GE(record.handle, 200'000U);
  }
}

TEST(TheBorder, CarriesWhoStandsOnTheOthersGround) {
  Border border;
  border.step(30);
  border.there.join(7, 1);
  for (int i = 0; i < 120; ++i) {
    border.play(7, {});
    border.step();
    ASSERT_NEAR(border.place(7).y, 0.9, 0.05) << "turn " << i;
  }
  EXPECT_EQ(border.owner(7), &border.there);
}

TEST(TheBorder, IsWalkedAcrossAndBack) {
  Border border(yard_at_the_border({15, person_m, -3}));
  border.here.join();
  border.step(30);
  int crossings = 0;
  Bench* last = &border.here;
  std::uint16_t yaw = to_plus_x;
  for (int i = 0; i < 2800; ++i) {
    if (border.place(0).x > border_x + 40) yaw = to_minus_x;
    if (border.place(0).x < border_x - 40) yaw = to_plus_x;
    border.play(0, walking(yaw));
    border.step();
    ASSERT_NE(border.owner(0), nullptr);
    ASSERT_EQ(border.here.core->summary().players + border.there.core->summary().players, 1U);
    ASSERT_GT(border.place(0).y, 0.85) << "fell through at turn " << i;
    crossings += border.owner(0) != last;
    last = border.owner(0);
    expect_ghosts_in_order(border, 2);
  }
  EXPECT_GE(crossings, 3);
  EXPECT_EQ(border.here.count(metric.ghost_streams_lost), 0U);
}

/// The places of two players that walk towards each other, by tick, and their smallest distance.
struct Meeting {
  std::vector<std::pair<Vec3, Vec3>> places;
  double nearest_m = 1e9;
};
Meeting meet(bool of_two_workers) {
  test::YardOptions home = yard_at_the_border({15, person_m, 0.1});
  home.spacing = {10, 0, -0.1};
  Border border(home, yard_at_the_border({25, person_m, 0}));
  border.step(30);
  border.here.join(0, 0);
  if (of_two_workers) {
    border.there.join(7, 1);
  } else {
    border.here.join(7, 0);
  }
  Meeting out;
  for (int i = 0; i < 150; ++i) {
    border.play(0, walking(to_plus_x));
    border.play(7, walking(to_minus_x));
    border.step();
    EXPECT_EQ(border.owner(0) != border.owner(7), of_two_workers);
    out.places.emplace_back(border.place(0), border.place(7));
    out.nearest_m =
        std::min(out.nearest_m, distance(out.places.back().first, out.places.back().second));
  }
  return out;
}

TEST(PeopleOfTwoWorkers, PushEachOtherAsThoseOfOneDo) {
  const Meeting apart = meet(true);
  const Meeting together = meet(false);
  EXPECT_LT(together.nearest_m, 0.7) << "they met";
  for (std::size_t i = 0; i < apart.places.size(); ++i) {
    ASSERT_LT(distance(apart.places[i].first, together.places[i].first), 1e-6) << "tick " << i;
    ASSERT_LT(distance(apart.places[i].second, together.places[i].second), 1e-6) << "tick " << i;
  }
  EXPECT_GT(std::abs(apart.places.back().first.z - 0.1), 0.05) << "and were pushed aside";
}

TEST(AGhost, OfABodyGoesOnForAQuarterOfASecondAndRests) {
  test::YardOptions home = yard_at_the_border({});
  home.barge = true;
  home.barge_at = {900, 20, 0};
  home.barge_velocity = {30, 0, 0};
  Border border(home);
  border.step(30);
  const Handle barge = border.here.find(test::barge_row);
  const world::World& abroad = border.there.core->world();
  const auto motion = abroad.motion(barge, abroad.now());
  ASSERT_TRUE(motion);
  EXPECT_NEAR(motion->pose.position.x,
              border.here.core->world().pose(barge, abroad.now())->position.x, 1e-9);
  border.fate = [](const Border::Word&) { return std::nullopt; };
  border.step(30);
  const auto rested = abroad.motion(barge, abroad.now());
  EXPECT_NEAR(rested->pose.position.x - motion->pose.position.x, 0.5 * 15, 1.1);
  EXPECT_EQ(rested->velocity, Vec3{});
}

// Lost and late messages; players that join, walk to and fro, and leave.
TEST(ABorderInBadWeather, KeepsEveryGhostLikeItsOwnerOrGone) {
  int crossings = 0;
  for (std::uint64_t seed = 1; seed <= seeds_of(24, 4); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::YardOptions home = yard_at_the_border({10, person_m, -8});
    home.spacing = {0, 0, 2};
    home.barge = true;
    home.barge_at = {940, 20, 0};
    home.barge_velocity = {4, 0, 0};
    Border border(home);
    Random random(seed);
    constexpr std::uint32_t people = 6;
    for (std::uint32_t n = 0; n < people; ++n) border.here.join(n);
    bool down = false;
    border.fate = [&](const Border::Word&) -> std::optional<int> {
      if (down || random.below(200) == 0) return std::nullopt;
      return random.below(50) == 0 ? std::optional(static_cast<int>(random.below(20))) : 0;
    };
    std::map<std::uint32_t, Bench*> last;
    std::vector<std::uint16_t> yaws(people, to_plus_x);
    for (int i = 0; i < 1500; ++i) {
      if (i % 250 == 0) down = random.below(4) == 0;
      if (i % 250 == 40) down = false;
      for (std::uint32_t n = 0; n < people; ++n) {
        if (random.below(300) == 0) yaws[n] = random.below(2) == 0 ? to_plus_x : to_minus_x;
        Bench* owner = border.owner(n);
        if (owner == nullptr) continue;  // in flight
        border.play(n, walking(yaws[n]));
        crossings += last[n] != nullptr && last[n] != owner;
        last[n] = owner;
      }
      border.step();
      expect_ghosts_in_order(border, 140);
      if (testing::Test::HasFailure()) return;
    }
    border.fate = nullptr;
    border.step(130);
    expect_ghosts_in_order(border, 2);
    EXPECT_EQ(border.here.core->summary().players + border.there.core->summary().players, people);
    EXPECT_GT(border.there.count(metric.ghost_streams_lost), 0U);
  }
  EXPECT_GT(crossings, 10);
}

}  // namespace
}  // namespace perigee::worker
