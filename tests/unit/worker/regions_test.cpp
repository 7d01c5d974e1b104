// A worker's behaviour on changes of the map's regions.
#include <gmock/gmock.h>

#include <array>

#include "border.hpp"
#include "sanitized.hpp"

namespace perigee::worker {
namespace {

std::vector<world::EntityId> decks(const Bench& bench) {
  std::vector<world::EntityId> found;
  const world::World& world = bench.core->world();
  for (const Handle handle : world.in_order()) {
    if (world.find(handle)->type == test::deck_row) found.push_back(world.find(handle)->id);
  }
  return found;
}

TEST(ARegion, IsPopulatedOnceForEachOfItsBirths) {
  Bench bench;
  const auto next = [&](std::uint32_t epoch, std::uint32_t created_epoch) {
    ++bench.map.version;
    bench.map.regions[0].epoch = Epoch{epoch};
    bench.map.regions[0].created_epoch = Epoch{created_epoch};
    bench.core->on_map(bench.map, Bench::start);
    return decks(bench).size();
  };
  ASSERT_EQ(decks(bench).size(), 1U);
  EXPECT_EQ(next(3, 3), 1U) << "another map that says the same, as of a restarted directory";
  EXPECT_EQ(next(4, 3), 1U) << "its content comes from the former owner";
  EXPECT_EQ(next(9, 9), 2U) << "the former owner died, and all that it had";
  EXPECT_EQ(next(9, 9), 2U);
  EXPECT_NE(decks(bench)[0], decks(bench)[1])
      << "what the first incarnation made is elsewhere, maybe";
}

TEST(ARegion, ThatWasSplitOffIsNotPopulated) {
  ClusterMap map = one_worker_map();
  map.regions[0].created_epoch = Epoch{0};
  const Bench bench({}, map);
  ASSERT_TRUE(bench.core->ready());
  EXPECT_TRUE(decks(bench).empty());
}

/// Everything that the worker owns.
std::vector<Handle> own(const Bench& bench) {
  std::vector<Handle> out;
  for (const Handle handle : bench.core->world().in_order()) {
    if (!bench.core->world().find(handle)->remote) out.push_back(handle);
  }
  return out;
}

/// Well inside of the first worker's region, with voxel ground.
test::YardOptions yard_inland() {
  return {.spawn = {15, person_m, 0},
          .pillars = true,
          .barge_velocity = {},
          .center_x_m = 500,
          .ground = true};
}

struct Removal : Border {
  explicit Removal(const test::YardOptions& abroad = yard_inland())
      : Border(yard_inland(), abroad) {}
  void give_region(std::uint32_t region, WorkerSlot to) {
    for (Bench* bench : {&here, &there}) {
      ++bench->map.version;
      bench->map.regions[region].owner = to;
      ++bench->map.regions[region].epoch;
      bench->core->on_map(bench->map, Bench::start);
    }
  }
  void walk(int turns, std::uint16_t yaw) {
    for (int i = 0; i < turns; ++i) {
      play(0, walking(yaw));
      step();
    }
  }
};

TEST(ARegionThatChangesHands, BringsAllThatIsInIt) {
  Removal both;
  both.here.join();
  both.step(30);
  const std::vector<Handle> all = own(both.here);
  const std::uint8_t began = both.here.player().reset_epoch;
  ASSERT_GT(all.size(), 140U);
  world::VoxelPatch& ground =
      *const_cast<world::World&>(both.here.core->world()).voxels(both.here.find(test::ground_row));
  ASSERT_TRUE(ground.add({both.here.core->next_tick(), 1, 0, 77,
                          !ground.solid(ground.plan().cell_of(77), both.here.core->next_tick())}));
  both.step(5);
  const std::uint64_t dug = ground.chunk(ground.plan().chunk_of(ground.plan().cell_of(77)))[0];
  both.give_region(0, WorkerSlot{1});
  both.walk(120, to_plus_x);
  EXPECT_THAT(own(both.here), testing::IsEmpty());
  EXPECT_THAT(own(both.there), testing::ElementsAreArray(all));
  EXPECT_EQ(decks(both.there).size(), 1U) << "nobody populated it again";
  const world::VoxelPatch& there =
      *both.there.core->world().voxels(both.there.find(test::ground_row));
  EXPECT_EQ(there.chunk(there.plan().chunk_of(there.plan().cell_of(77)))[0], dug);
  EXPECT_EQ(there.version(there.plan().chunk_of(there.plan().cell_of(77))), 1U);
  EXPECT_EQ(both.there.player().reset_epoch, began) << "whoever was in it did not begin anew";
}

TEST(ARegionThatChangesHands, ComesBackAndGoesAgain) {
  Removal both;
  both.here.join();
  both.step(30);
  const std::vector<Handle> all = own(both.here);
  for (const WorkerSlot to : {WorkerSlot{1}, WorkerSlot{0}, WorkerSlot{1}}) {
    both.give_region(0, to);
    both.walk(150, to == WorkerSlot{1} ? to_plus_x : to_minus_x);
    EXPECT_THAT(own(both.of(to)), testing::ElementsAreArray(all)) << to;
  }
}

// A worker's maximum content, with a hundred players.
TEST(ARegionThatChangesHands, IsOverWithinTenSecondsHoweverFullItIs) {
  constexpr std::uint32_t players = 100;
  Settings settings;
  settings.players_max = players;
  test::YardOptions yard = yard_inland();
  yard.spacing = {0.7, 0, 0};
  yard.posts = shortened() ? 2'500 : 10'000;
  Border both(yard, yard, settings);
  both.here.acknowledges = both.there.acknowledges = false;
  for (std::uint32_t n = 0; n < players; ++n) both.here.join(n);
  both.step(30);
  const std::size_t all = own(both.here).size();
  ASSERT_GT(all, yard.posts + players);
  for (Bench* bench : {&both.here, &both.there}) {
    ++bench->map.version;
    bench->map.regions[0].owner = WorkerSlot{1};
    ++bench->map.regions[0].epoch;
    bench->core->on_map(bench->map, Bench::start);
  }
  int ticks = 0;
  std::uint64_t most = 0;
  while (ticks < 600 && own(both.there).size() < all) {
    const std::uint64_t before = both.here.count(metric.groups_out);
    both.step();
    ++ticks;
    most = std::max(most, both.here.count(metric.groups_out) - before);
    both.here.blocks.clear();
    both.there.blocks.clear();
  }
  EXPECT_EQ(own(both.there).size(), all);
  EXPECT_TRUE(own(both.here).empty());
  EXPECT_LE(most, 32U) << "groups in one tick";
  std::printf("%zu things and %u players in %d ticks\n", all - players, players, ticks);
}

// The deck's centre is 100 m farther away, so the player's turn to migrate comes before the deck's.
TEST(ARegionThatChangesHands, TakesNobodyWhoseGroundIsNotKnownThere) {
  test::YardOptions yard = yard_inland();
  yard.spawn = {-100, person_m, 0};
  yard.pillars = yard.ground = false;
  Border both(yard, yard);
  both.here.join();
  both.step(60);
  const Handle deck = both.here.player().parent;
  ASSERT_EQ(both.here.core->world().find(deck)->type, test::deck_row);
  for (Bench* bench : {&both.here, &both.there}) {
    ++bench->map.version;
    bench->map.regions[0].owner = WorkerSlot{1};
    ++bench->map.regions[0].epoch;
    bench->core->on_map(bench->map, Bench::start);
  }
  for (int i = 0; i < 120; ++i) {
    both.step();
    const Bench* bench = both.owner(0);
    ASSERT_TRUE(bench == nullptr || bench->player().parent == deck) << i;
  }
  EXPECT_EQ(both.owner(0), &both.there);
}

TEST(AWorkerWithoutRegions, PlaysOnUntilItsThingsAreGone) {
  Removal both;
  both.here.join();
  both.step(30);
  const std::size_t all = own(both.here).size();
  both.fate = [](const Border::Word&) { return std::nullopt; };
  both.give_region(0, WorkerSlot{1});
  const Vec3 before = both.place(0);
  both.walk(300, to_plus_x);
  EXPECT_EQ(own(both.here).size(), all) << "no other worker receives them";
  EXPECT_GT(distance(both.place(0), before), 1);
  EXPECT_FALSE(both.here.blocks.empty());
  both.fate = nullptr;
  both.walk(150, to_minus_x);
  EXPECT_THAT(own(both.here), testing::IsEmpty());
  EXPECT_EQ(own(both.there).size(), all);
}

TEST(ARegionThatChangesHands, LetsNobodyJoinBeforeItsThingsAreKnown) {
  Removal both;
  both.step(30);
  both.fate = [](const Border::Word&) { return std::nullopt; };
  both.step(40);
  both.give_region(0, WorkerSlot{1});
  both.there.join();
  both.there.tick();
  EXPECT_TRUE(both.there.joined.empty() && both.there.refused.empty()) << "its gateway asks again";
  both.here.tick();
  both.fate = nullptr;
  both.step(60);
  both.there.join();
  both.there.tick();
  EXPECT_FALSE(both.there.joined.empty());
}

// Server logic that fills empty places would fill them twice.
TEST(ARegionThatChangesHands, IsHiddenFromServerLogicBeforeItsThingsAreKnown) {
  std::size_t regions = 0;
  test::YardMischief mischief;
  mischief.think = [&](world::ThinkContext& context) { regions = context.regions().size(); };
  test::YardOptions abroad = yard_inland();
  abroad.mischief = &mischief;
  Removal both(abroad);
  both.step(30);
  EXPECT_EQ(regions, 1U);
  both.fate = [](const Border::Word&) { return std::nullopt; };
  both.step(40);
  both.give_region(0, WorkerSlot{1});
  both.step(2);
  EXPECT_EQ(regions, 1U);
  both.fate = nullptr;
  both.step(60);
  EXPECT_EQ(regions, 2U);
}

TEST(AGroupUnderWay, ComesBackFromAnIncarnationThatHasEnded) {
  Removal both;
  both.here.join();
  both.step(30);
  const std::vector<Handle> all = own(both.here);
  // All messages but the acknowledgements arrive: groups have been sent, and are in doubt.
  both.give_region(0, WorkerSlot{1});
  both.step(20);
  both.fate = [](const Border::Word&) { return std::nullopt; };
  both.step(8);
  ASSERT_LT(own(both.here).size(), all.size());
  Bench& here = both.here;
  const std::size_t taken = own(both.there).size();
  const std::vector<Handle> before = own(here);
  here.events.clear();
  ++here.map.version;
  here.map.workers[1].alive = false;
  here.map.regions[0].owner = here.map.regions[1].owner = WorkerSlot{0};
  here.map.regions[0].epoch = Epoch{here.map.regions[0].epoch.number + 2};
  here.core->on_map(here.map, Bench::start);
  EXPECT_GE(own(here).size(), all.size() - taken) << "what it had taken ended with it";
  EXPECT_GT(here.count(metric.groups_back), 0U);
  // The dead worker may have replicated them to clients, and clients forget all that it sent.
  here.tick(30);
  std::set<Handle> sent;
  for (const SpawnEvent& spawn : here.sent<SpawnEvent>()) sent.insert(spawn.handle);
  for (const Handle handle : own(here)) {
    const bool came_back = std::find(before.begin(), before.end(), handle) == before.end();
    EXPECT_TRUE(!came_back || sent.contains(handle)) << handle;
  }
}

}  // namespace
}  // namespace perigee::worker
