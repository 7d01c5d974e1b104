/// Groups: their members, and that another world continues their simulation exactly.
#include "perigee/world/group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace perigee::world {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

enum Row : TypeId { ground_row, ship_row, crate_row, door_row, person_row };

std::vector<EntityType> make_types() {
  std::vector<EntityType> rows(5);
  rows[ground_row] = {.id = ground_row,
                      .kind = EntityKind::Static,
                      .shape = make_shape({{.center = {0, -0.5, 0}, .half = {100, 0.5, 60}}})};
  rows[ship_row] = {.id = ship_row,
                    .kind = EntityKind::Body,
                    .shape = make_shape({{.center = {0, -0.5, 0}, .half = {10, 0.5, 30}}}),
                    .mass_kg = 2e6,
                    .parent_eligible = true};
  rows[ship_row].gravity = {{0, -9.81, 0}, {{-10, -1, -30}, {10, 8, 30}}};
  rows[crate_row] = {.id = crate_row,
                     .kind = EntityKind::Body,
                     .shape = make_shape({{.half = {0.5, 0.5, 0.5}}}),
                     .mass_kg = 100};
  rows[door_row] = {
      .id = door_row, .kind = EntityKind::Timeline, .shape = make_shape({{.half = {0.1, 1, 1}}})};
  rows[door_row].travel.slide = {0, 0, 2};
  rows[person_row] = {.id = person_row, .kind = EntityKind::Actor, .shape = actor_shape({})};
  return rows;
}

class AGroup : public testing::Test {
 protected:
  std::vector<EntityType> types = make_types();
  World here{{.types = types, .handle_base = 1, .start = Tick{1000}}};
  World there{{.types = types, .handle_base = 1U << 20, .start = Tick{1000}}};
  World alone{{.types = types, .handle_base = 1, .start = Tick{1000}}};
  std::uint32_t ordinal = 0;

  Handle spawn(TypeId type, const Vec3& at, Handle parent = no_entity, const Vec3& velocity = {}) {
    SpawnOrder order{.id = make_entity_id(1, Tick{1000}, ordinal++),
                     .type = type,
                     .parent = parent,
                     .local = {at, {}},
                     .velocity = velocity};
    const Handle handle = here.spawn(order);
    EXPECT_EQ(alone.spawn(order), handle);
    return handle;
  }
  void step(World& world, int ticks = 1) {
    for (int i = 0; i < ticks; ++i) world.step_bodies(world.now());
  }
  void step_all(int ticks) {
    for (World* world : {&here, &there, &alone}) step(*world, ticks);
  }
  /// Moves a group from one world to the other, serialized.
  void move(Handle of) {
    const Group group = here.group_of(of);
    const auto bytes = to_bytes(here.extract(group.members));
    here.release(group.members);
    const auto read = group_from_bytes(bytes, types);
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(to_bytes(*read), bytes);
    ASSERT_TRUE(there.insert(*read));
  }
};

TEST_F(AGroup, IsAShipWithItsDoorsItsCrewAndWhatLiesOnItsDeck) {
  const Handle ship = spawn(ship_row, {0, 0, 0});
  const Handle crate = spawn(crate_row, {0, 0.49, 0});
  const Handle upon = spawn(crate_row, {0, 1.48, 0});
  const Handle door = spawn(door_row, {3, 1, 0}, ship);
  const Handle rider = spawn(person_row, {5, 0.9, 0}, ship);
  spawn(crate_row, {200, 0, 0});
  spawn(person_row, {200, 3, 0});
  step_all(1);
  here.set_actor(rider, ship, {}, here.now());
  for (const Handle member : {ship, crate, upon, door, rider}) {
    const Group group = here.group_of(member);
    EXPECT_EQ(group.root, ship);
    EXPECT_THAT(group.members, UnorderedElementsAre(ship, crate, upon, door, rider));
    EXPECT_THAT(group.foreign, IsEmpty());
  }
}

TEST_F(AGroup, OfOneWhoStandsOnNothingIsOneself) {
  const Handle walker = spawn(person_row, {0, 0.9, 0});
  EXPECT_THAT(here.group_of(walker).members, ElementsAre(walker));
  EXPECT_EQ(here.group_of(walker).root, walker);
}

TEST_F(AGroup, OfAFixtureIsWhatItCarriesAndNotWhoStandsThere) {
  const Handle ground = spawn(ground_row, {0, 0, 0});
  const Handle door = spawn(door_row, {0, 1, 0}, ground);
  const Handle walker = spawn(person_row, {0, 0.9, 0}, ground);
  const Handle crate = spawn(crate_row, {5, 0.49, 0});
  step_all(2);
  EXPECT_THAT(here.group_of(ground).members, ElementsAre(ground, door));
  EXPECT_EQ(here.group_of(door).root, ground);
  EXPECT_THAT(here.group_of(door).members, ElementsAre(ground, door));
  EXPECT_THAT(here.group_of(walker).members, ElementsAre(walker));
  EXPECT_THAT(here.group_of(crate).members, ElementsAre(crate));
}

TEST_F(AGroup, NamesWhatIsAnotherWorkers) {
  const Handle crate = spawn(crate_row, {0, 0.49, 0});
  const Handle ship = here.spawn(
      {.id = make_entity_id(9, Tick{1000}, 0), .type = ship_row, .handle = 77, .remote = true});
  step(here, 2);
  EXPECT_THAT(here.group_of(crate).members, ElementsAre(crate));
  EXPECT_THAT(here.group_of(crate).foreign, ElementsAre(ship));
  EXPECT_THAT(here.group_of(ship).members, IsEmpty());
  EXPECT_TRUE(here.touches_remote(crate));
  EXPECT_FALSE(here.touches_remote(ship)) << "not ours";
}

TEST_F(AGroup, IsBoundToTheShipItStandsOnAndNotToStrangersOnItsOwn) {
  const Handle ship = here.spawn(
      {.id = make_entity_id(9, Tick{1000}, 0), .type = ship_row, .handle = 77, .remote = true});
  const Handle guest = spawn(person_row, {0, 0.9, 0});
  const Handle own = spawn(ship_row, {100, 0, 0});
  const Handle stranger = here.spawn({.id = make_entity_id(9, Tick{1000}, 1),
                                      .type = person_row,
                                      .handle = 78,
                                      .parent = own,
                                      .local = {{0, 0.9, 0}, {}},
                                      .remote = true});
  step(here, 1);
  here.set_actor(guest, ship, {.position = {0, 0.9, 0}}, here.now());
  EXPECT_THAT(here.group_of(guest).members, ElementsAre(guest));
  EXPECT_THAT(here.group_of(guest).foreign, ElementsAre(ship));
  EXPECT_THAT(here.group_of(own).members, ElementsAre(own));
  EXPECT_THAT(here.group_of(own).foreign, IsEmpty());
  EXPECT_THAT(here.group_of(stranger).members, IsEmpty());
}

TEST_F(AGroup, LeavesALiftWhereItIs) {
  const Handle ground = spawn(ground_row, {0, 0, 0});
  const Handle lift = spawn(door_row, {0, 1, 0}, ground);
  const Handle rider = spawn(person_row, {0, 1, 0}, lift);
  step_all(1);
  EXPECT_THAT(here.group_of(rider).members, ElementsAre(rider));
  EXPECT_THAT(here.group_of(rider).foreign, IsEmpty());
}

// The sender keeps a group that it sent as remote entities, and gets it back: in no tick does it
// exist twice, or not at all.
TEST_F(AGroup, IsKeptAsAnotherWorkersAndReplacedWhenItComesBack) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 3});
  const Handle door = spawn(door_row, {3, 1, 0}, ship);
  const Handle rider = spawn(person_row, {5, 0.9, 0}, ship);
  step_all(20);
  here.set_actor(rider, ship, {.position = {5, 0.9, 0}}, here.now());
  World* from = &here;
  World* to = &there;
  for (int crossing = 0; crossing < 4; ++crossing) {
    const auto past = from->extract(from->group_of(ship).members);
    ASSERT_EQ(past.entities.size(), 3U);
    from->make_remote(from->group_of(ship).members);
    ASSERT_TRUE(to->insert(past));
    EXPECT_EQ(to->in_order().size(), 3U);
    for (const Handle handle : {ship, door, rider}) {
      EXPECT_TRUE(from->find(handle)->remote);
      EXPECT_FALSE(to->find(handle)->remote);
      EXPECT_EQ(from->pose(handle, from->now()), to->pose(handle, to->now()));
    }
    EXPECT_EQ(from->announce(from->propose_change(door, from->now(), 1)),
              TimelineLog::Added::TooOld);
    for (int tick = 0; tick < 10; ++tick) {
      step_all(1);
      to->set_actor(rider, ship, {.position = {5, 0.9, 0}}, to->now());
      EXPECT_LT(
          distance(from->pose(ship, from->now())->position, to->pose(ship, to->now())->position),
          1e-6);
    }
    std::swap(from, to);
  }
  EXPECT_EQ(here.pose(ship, here.now()), alone.pose(ship, alone.now()));
}

TEST_F(AGroup, KnowsGroundOfCellsNearIt) {
  const auto solid = [](const Cell&) { return true; };
  types.push_back({.id = static_cast<TypeId>(types.size()),
                   .kind = EntityKind::Static,
                   .shape = make_voxel_shape(make_voxel_plan({8, 8, 8}, 1, solid))});
  World world{{.types = types, .start = Tick{1000}}};
  const auto place = [&](TypeId type, const Vec3& at) {
    return world.spawn(
        {.id = make_entity_id(1, Tick{1000}, ordinal++), .type = type, .local = {at, {}}});
  };
  place(ground_row, {0, 0, 0});
  const Handle ground = place(static_cast<TypeId>(types.size() - 1), {100, 0, 0});
  const Handle walker = place(person_row, {40, 1, 0});
  ASSERT_NE(world.cells_near(std::array{walker}, 64), nullptr);
  EXPECT_EQ(world.cells_near(std::array{walker}, 64)->handle, ground);
  EXPECT_EQ(world.cells_near(std::array{walker}, 50), nullptr);
}

TEST_F(AGroup, FliesOnElsewhereToTheSameBits) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 3});
  const Handle door = spawn(door_row, {3, 1, 0}, ship);
  for (World* world : {&here, &alone}) {
    world->set_drive(ship, {50, 0, 3}, {0, 0.1, 0.02});
    step(*world, 20);
    EXPECT_EQ(world->announce(world->propose_change(door, world->now(), 1)),
              TimelineLog::Added::Stored);
  }
  step(there, 20);
  move(ship);
  EXPECT_EQ(here.find(ship), nullptr);
  for (int tick = 0; tick < 120; ++tick) {
    for (const Handle handle : {ship, door}) {
      for (const std::int32_t ago : {0, 5, 40}) {  // the past was transferred
        const auto expected = alone.motion(handle, alone.now() - ago);
        const auto got = there.motion(handle, there.now() - ago);
        ASSERT_EQ(expected.has_value(), got.has_value());
        if (expected) {
          ASSERT_EQ(got->pose, expected->pose) << "tick " << tick;
        }
      }
    }
    step_all(1);
  }
  EXPECT_EQ(there.timeline(door)->last_version(), 1);
}

TEST_F(AGroup, TakesItsCargoAlongWithoutAJolt) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 0});
  const Handle crate = spawn(crate_row, {3, 50.5, 4}, no_entity, {50, 0, 0});
  const auto drive = [&](World& world) {
    if (world.find(ship) != nullptr) world.set_drive(ship, {50, 0, 0}, {0, 0.2, 0});
    step(world);
  };
  for (int tick = 0; tick < 60; ++tick) drive(here), drive(alone), step(there);
  move(crate);
  double off_m = 0;
  for (int tick = 0; tick < 120; ++tick) {
    drive(there), drive(alone);
    off_m = std::max(off_m, distance(there.motion(crate, there.now())->pose.position,
                                     alone.motion(crate, alone.now())->pose.position));
  }
  EXPECT_LT(off_m, 0.01);
  EXPECT_GT(distance(alone.motion(crate, alone.now())->pose.position, {3, 50.5, 4}), 100)
      << "it was carried";
}

TEST_F(AGroup, ThatComesLateHasMovedOnMeanwhile) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 3});
  for (World* world : {&here, &alone}) step(*world, 20);
  step(there, 20);
  const auto past = here.extract(here.group_of(ship).members);
  step(there, 10);
  step(alone, 10);
  ASSERT_TRUE(there.insert(past));
  for (int tick = 0; tick < 30; ++tick) {
    for (const std::int32_t ago : {0, 5, 15}) {
      const Tick then = there.now() - ago;
      EXPECT_LT(distance(there.motion(ship, then)->pose.position,
                         alone.motion(ship, then)->pose.position),
                1e-6);
    }
    step(there);
    step(alone);
  }
}

TEST_F(AGroup, ThatComesMuchTooLateStoodStill) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 3});
  const Handle rider = spawn(person_row, {5, 0.9, 0}, ship);
  step(here, 20);
  here.set_actor(rider, ship, {}, here.now());
  const Vec3 left_at = here.pose(ship, here.now())->position;
  const auto past = here.extract(here.group_of(ship).members);
  step(there, 200);
  ASSERT_TRUE(there.insert(past));
  EXPECT_EQ(there.pose(ship, there.now())->position, left_at);
  EXPECT_FALSE(there.pose(ship, there.now() - 5)) << "it was nowhere then";
  step(there);
  EXPECT_NEAR(distance(there.pose(ship, there.now())->position, left_at), 50.0 / 60, 0.1);
  EXPECT_THAT(there.group_of(rider).members, ElementsAre(ship, rider));
}

TEST_F(AGroup, KeepsItsJointsAndWhatTheyStriveFor) {
  const Handle a = spawn(crate_row, {0, 50, 0});
  const Handle b = spawn(crate_row, {2, 50, 0});
  for (World* world : {&here, &alone}) {
    ASSERT_TRUE(world->add_hinge({.a = a,
                                  .b = b,
                                  .frame_a = {{1, 0, 0}, {}},
                                  .frame_b = {{-1, 0, 0}, {}},
                                  .motor_n_m = 1e4}));
    step(*world, 2);
    ASSERT_TRUE(world->drive_hinge(a, b, 1.5));
    step(*world, 8);
  }
  step(there, 10);
  move(b);
  EXPECT_THAT(here.chains(), IsEmpty());
  step_all(2);
  EXPECT_TRUE(there.chained(a));
  step_all(58);
  const Motion turned = *there.motion(b, there.now());
  EXPECT_NEAR(length(turned.angular_velocity - there.motion(a, there.now())->angular_velocity), 1.5,
              0.05);
  EXPECT_LT(distance(turned.pose.position, alone.motion(b, alone.now())->pose.position), 0.02);
}

TEST_F(AGroup, DoesNotComeWhereItsHandleIsTaken) {
  const Handle ship = spawn(ship_row, {0, 0, 0});
  const Handle crate = spawn(crate_row, {0, 0.49, 0});
  step_all(1);
  const auto past = here.extract(here.group_of(ship).members);
  ASSERT_EQ(past.entities.size(), 2U);
  ASSERT_NE(there.spawn({.id = past.entities[1].entity.id, .type = crate_row}), no_entity);
  const std::size_t before = there.in_order().size();
  EXPECT_FALSE(there.insert(past)) << "the id is";
  EXPECT_EQ(there.in_order().size(), before);
  EXPECT_EQ(there.find(crate), nullptr);
  EXPECT_FALSE(here.insert(past)) << "it is still there";
}

TEST_F(AGroup, IsNotReadFromWhatIsNone) {
  const Handle ship = spawn(ship_row, {0, 50, 0}, no_entity, {50, 0, 3});
  spawn(door_row, {3, 1, 0}, ship);
  step_all(30);
  const auto bytes = to_bytes(here.extract(here.group_of(ship).members));
  EXPECT_FALSE(group_from_bytes({bytes.data(), bytes.size() - 1}, types));
  EXPECT_FALSE(group_from_bytes({}, types));
  EXPECT_FALSE(group_from_bytes(bytes, {types.data(), 1})) << "another table";
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    auto damaged = bytes;
    damaged[random() % damaged.size()] = static_cast<std::byte>(random());
    if (const auto read = group_from_bytes(damaged, types)) {
      EXPECT_EQ(to_bytes(*read).size(), damaged.size());
    }
  }
}

}  // namespace
}  // namespace perigee::world
