// The migration queue alone: which entries it keeps, offers and forgets.
#include "perigee/worker/migration/migration_queue.hpp"

#include <gmock/gmock.h>

#include "perigee/world/group.hpp"

namespace perigee::worker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

enum QueuedRow : world::TypeId { ship_row, crate_row, person_row, rock_row };

std::vector<world::EntityType> queued_types() {
  std::vector<world::EntityType> rows(4);
  rows[ship_row] = {
      .id = ship_row,
      .kind = world::EntityKind::Body,
      .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {10, 0.5, 30}}}),
      .mass_kg = 2e6,
      .parent_eligible = true,
  };
  rows[crate_row] = {.id = crate_row,
                     .kind = world::EntityKind::Body,
                     .shape = world::make_shape({{.half = {0.5, 0.5, 0.5}}}),
                     .mass_kg = 100};
  rows[person_row] = {
      .id = person_row, .kind = world::EntityKind::Actor, .shape = world::actor_shape({})};
  rows[rock_row] = {.id = rock_row,
                    .kind = world::EntityKind::Static,
                    .shape = world::make_shape({{.half = {1, 1, 1}}})};
  return rows;
}

/// This worker owns the half of space with x < 0, another one the rest.
struct AMigrationQueue : testing::Test {
  static constexpr WorkerSlot other{1};

  std::vector<world::EntityType> types = queued_types();
  world::World world{{.types = types, .handle_base = 1, .start = Tick{1000}}};
  Tick next{1000};
  ClusterMap map = [] {
    ClusterMap out;
    out.workers = {{.slot = WorkerSlot{0}, .alive = true}, {.slot = other, .alive = true}};
    out.regions = {
        {.region = RegionId{0},
         .low = {-1000, -100, -100},
         .high = {0, 100, 100},
         .owner = WorkerSlot{0}},
        {.region = RegionId{1}, .low = {0, -100, -100}, .high = {1000, 100, 100}, .owner = other}};
    return out;
  }();
  ClusterView cluster{map, WorkerSlot{0}};
  MigrationDestinations destinations{{.world = world,
                                      .cluster = cluster,
                                      .next = next,
                                      .owner_of = [](Handle) { return std::nullopt; },
                                      .leaves_soon = [](Handle) { return false; }}};
  std::set<Handle> offered, resting;  ///< the roots of groups
  std::vector<Handle> offers;         ///< in order
  bool too_large = false, accepts = true;
  MigrationQueue queue{{.world = world,
                        .destinations = destinations,
                        .next = next,
                        .is_offered = [this](Handle root) { return offered.contains(root); },
                        .rests = [this](Handle root) { return resting.contains(root); },
                        .is_too_large = [this](const world::Group&) { return too_large; },
                        .offer =
                            [this](Handle root, WorkerSlot to) {
                              EXPECT_EQ(to, other);
                              if (accepts) {
                                offers.push_back(root);
                                offered.insert(root);
                              }
                              return accepts;
                            }}};
  std::uint32_t spawned = 0;
  std::map<Handle, Handle> ground;  ///< of each person

  Handle spawn(world::TypeId type, const Vec3& at) {
    const Handle handle = world.spawn(
        {.id = world::make_entity_id(1, Tick{1000}, spawned++), .type = type, .local = {at, {}}});
    if (type == person_row) ground[handle] = no_entity;
    return handle;
  }
  void step() {
    world.step_bodies(world.now());
    next = world.now();
    for (const auto& [person, parent] : ground) {
      ActorState state;
      if (parent == no_entity) state.position = world.find(person)->local.position;
      world.set_actor(person, parent, state, next);
    }
  }
  /// Every entity is looked at once.
  void scan() {
    queue.on_map();
    for (std::int32_t i = 0; i < MigrationQueue::look_ticks; ++i) {
      queue.find();
      step();
    }
  }
  std::vector<Handle> offers_of_a_tick() {
    offers.clear();
    queue.offer_some();
    return offers;
  }
};

TEST_F(AMigrationQueue, HasWhatIsFarInsideAnotherRegion) {
  spawn(crate_row, {-50, 0, 0});
  spawn(crate_row, {20, 0, 0});
  const Handle crate = spawn(crate_row, {50, 0, 0});
  scan();
  EXPECT_EQ(queue.size(), 1U);
  EXPECT_THAT(offers_of_a_tick(), ElementsAre(crate));
  EXPECT_THAT(offers_of_a_tick(), IsEmpty()) << "it is offered already";
  offered.clear();
  EXPECT_THAT(offers_of_a_tick(), ElementsAre(crate)) << "the receiver was not ready in time";
  world.make_remote(std::array{crate});
  offered.clear();
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST_F(AMigrationQueue, KeepsAGroupThatHasMigratedAMomentAgoUntilItMayMigrateAgain) {
  const Handle crate = spawn(crate_row, {50, 0, 0});
  scan();
  resting = {crate};
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 1U);
  resting.clear();
  EXPECT_THAT(offers_of_a_tick(), ElementsAre(crate));
}

TEST_F(AMigrationQueue, ForgetsAnEntityThatHasLeftHoweverRecentlyItCame) {
  const Handle crate = spawn(crate_row, {50, 0, 0});
  const Handle gone = spawn(crate_row, {50, 0, 10});
  scan();
  ASSERT_EQ(queue.size(), 2U);
  resting = {crate, gone};
  world.make_remote(std::array{crate});
  world.despawn(gone);
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

// The passenger came alone, and boarded a ship that has been here for long.
TEST_F(AMigrationQueue, OffersAShipWhosePassengerHasMigratedAMomentAgo) {
  const Handle person = spawn(person_row, {50, 0.9, 0});
  scan();
  ASSERT_EQ(queue.size(), 1U);
  const Handle ship = spawn(ship_row, {50, 0, 0});
  ground[person] = ship;
  step();
  resting = {person};
  EXPECT_THAT(offers_of_a_tick(), ElementsAre(ship));
}

TEST_F(AMigrationQueue, ForgetsAPassengerWhoseShipBelongsHereHoweverRecentlyItCame) {
  const Handle person = spawn(person_row, {50, 0.9, 0});
  scan();
  ASSERT_EQ(queue.size(), 1U);
  ground[person] = spawn(ship_row, {-50, 0, 0});
  step();
  resting = {person};
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST_F(AMigrationQueue, OffersAGroupOnceWhicheverOfItsMembersItFinds) {
  const Handle ship = spawn(ship_row, {50, 0, 0});
  ground[spawn(person_row, {0, 0.9, 0})] = ship;
  ground[spawn(person_row, {1, 0.9, 0})] = ship;
  scan();
  ASSERT_EQ(queue.size(), 3U);
  EXPECT_THAT(offers_of_a_tick(), ElementsAre(ship));
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 3U) << "until they have left";
}

// A member's own offer has not passed: it stays where it is, although its ship may leave.
TEST_F(AMigrationQueue, LeavesAloneAMemberThatIsOfferedByItself) {
  const Handle person = spawn(person_row, {50, 0.9, 0});
  scan();
  ASSERT_THAT(offers_of_a_tick(), ElementsAre(person));
  ground[person] = spawn(ship_row, {50, 0, 0});
  step();
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 1U);
}

TEST_F(AMigrationQueue, ForgetsAGroupThatNoMessageCarries) {
  spawn(crate_row, {50, 0, 0});
  scan();
  too_large = true;
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  EXPECT_EQ(queue.size(), 0U);
}

TEST_F(AMigrationQueue, OffersCarriersFirstAndAFewPerTickInTurn) {
  for (int i = 0; i < 5; ++i) spawn(person_row, {50, 0.9, 2.0 * i});
  for (int i = 0; i < 20; ++i) spawn(crate_row, {50, 10, 2.0 * i});
  const Handle rock = spawn(rock_row, {50, 20, 5});
  scan();
  ASSERT_EQ(queue.size(), 26U);
  accepts = false;
  EXPECT_THAT(offers_of_a_tick(), IsEmpty());
  accepts = true;
  const auto first = offers_of_a_tick();
  ASSERT_THAT(first, SizeIs(23))
      << "a rock, 20 crates, and two players, each of which counts as eight";
  EXPECT_EQ(first.front(), rock);
  EXPECT_THAT(offers_of_a_tick(), SizeIs(3));
}

}  // namespace
}  // namespace perigee::worker
