#include "perigee/world/spawner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

#include "parts.hpp"

namespace perigee::world {
namespace {

TEST(TheSpawner, RefusesAGamesOrdersForActors) {
  Parts world;
  const SpawnOrder order{.id = {5}, .type = Records::walker};
  world.calls.begin();
  EXPECT_EQ(world.spawner.spawn(order), (Spawned{no_entity, SpawnRefusal::WrongKind}));
  EXPECT_EQ(world.calls.faults().total(), 1U);
  world.calls.end();
  EXPECT_NE(world.spawner.spawn(order).entity, no_entity);
  EXPECT_EQ(world.spawner.spawn(order), (Spawned{no_entity, SpawnRefusal::BadId})) << "it is taken";
  EXPECT_EQ(world.calls.faults().total(), 1U) << "not a game's order";
}

TEST(TheSpawner, SaysWhyItRefusesAnOrder) {
  Parts world;
  const auto refusal = [&](const SpawnOrder& order) { return world.spawner.spawn(order).refusal; };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal({.id = {5}, .type = 200}), SpawnRefusal::UnknownType);
  EXPECT_EQ(refusal({.id = no_entity_id, .type = Records::box}), SpawnRefusal::BadId);
  EXPECT_EQ(refusal({.id = {5}, .type = Records::box, .parent = 7}), SpawnRefusal::BadParent);
  EXPECT_EQ(refusal({.id = {5}, .type = Records::box, .local = {{nan, 0, 0}, {}}}),
            SpawnRefusal::BadPose);
  EXPECT_EQ(refusal({.id = {5}, .type = Records::box, .velocity = {9'000, 0, 0}}),
            SpawnRefusal::BadVelocity);
  const Handle box = world.spawn(Records::box, {}).entity.handle;
  EXPECT_EQ(refusal({.id = {5}, .type = Records::box, .handle = box}), SpawnRefusal::NoHandle);
  for (std::uint64_t id = 1'000; !world.table.full(); ++id) {
    ASSERT_EQ(refusal({.id = {id}, .type = Records::walker}), SpawnRefusal::None);
  }
  EXPECT_EQ(refusal({.id = {5}, .type = Records::box}), SpawnRefusal::TableFull);
}

TEST(TheSpawner, HasASentenceForEachRefusal) {
  std::set<std::string_view> sentences;
  for (unsigned i = 0; i <= static_cast<unsigned>(SpawnRefusal::last); ++i) {
    const auto refusal = static_cast<SpawnRefusal>(i);
    EXPECT_FALSE(to_sentence(refusal).empty());
    EXPECT_TRUE(sentences.insert(to_sentence(refusal)).second) << to_sentence(refusal);
    if (!is_fault(refusal)) continue;
    EXPECT_FALSE(row_of(fault_of(refusal)).name.empty());
  }
}

TEST(TheSpawner, DespawnsPartsAndLeavesActorsInTheRegionsFrame) {
  Parts world;
  const Handle ship = world.spawn(Records::box, {100, 0, 0}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ship).entity.handle;
  const EntityRecord& actor = world.spawn(Records::walker, {1, 0, 0}, ship);
  EXPECT_TRUE(world.spawner.despawn(ship));
  EXPECT_EQ(world.table.find(ship), nullptr);
  EXPECT_EQ(world.table.find(door), nullptr);
  EXPECT_EQ(actor.trace(world.now)->parent, no_entity);
  EXPECT_EQ(actor.trace(world.now)->position.x, 101);
  EXPECT_FALSE(world.spawner.despawn(ship));
}

TEST(TheSpawner, ReleasesEntitiesWithoutTheOnesTheyCarry) {
  Parts world;
  const Handle ship = world.spawn(Records::box, {}).entity.handle;
  const Handle door = world.spawn(Records::door, {}, ship).entity.handle;
  world.grid.begin(world.now);
  world.spawner.release(std::array{ship});
  EXPECT_EQ(world.table.find(ship), nullptr);
  EXPECT_NE(world.table.find(door), nullptr);
  EXPECT_FALSE(world.grid.valid());
}

TEST(TheSpawner, FilesABodyThatRestsAtOnce) {
  Parts world;
  EntityRecord* box = world.spawner.enter({.id = {5}, .type = Records::box, .rests = true});
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->still);
  EXPECT_EQ(box->motions, nullptr);
  EXPECT_THAT(world.lively.list(), testing::IsEmpty());
}

}  // namespace
}  // namespace perigee::world
