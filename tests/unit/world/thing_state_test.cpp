// States of entities that are not actors: kept with the entity, and taken along by its group.
#include <gtest/gtest.h>

#include "perigee/world/group.hpp"
#include "perigee/world/schema.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

struct Chest {
  std::uint32_t opened_at = 0;
  std::uint16_t coins = 9;
  std::uint16_t trap = 0;
  static void fields(auto&& field, auto& chest) {
    field(chest.opened_at, SeenBy::Everybody);
    field(chest.coins, SeenBy::Everybody);
    field(chest.trap, SeenBy::Owner);
  }
};

enum ThingRow : TypeId { rock_type, chest_type, crate_type, walker_type };

struct AThingState : testing::Test {
  GameStateCodec codec = codec_of<Chest>();
  std::vector<EntityType> types = make_types();
  World world{{.types = types, .handle_base = 1, .start = Tick{1000}}};
  World there{{.types = types, .handle_base = 1U << 20, .start = Tick{1000}}};
  std::uint32_t ordinal = 0;

  std::vector<EntityType> make_types() const {
    std::vector<EntityType> rows(4);
    for (TypeId id = 0; id < rows.size(); ++id) {
      rows[id].id = id;
      rows[id].shape = make_shape({{.half = {0.5, 0.5, 0.5}}});
    }
    rows[chest_type].state = rows[crate_type].state = &codec;
    rows[crate_type].kind = EntityKind::Body;
    rows[crate_type].mass_kg = 10;
    rows[walker_type].kind = EntityKind::Actor;
    rows[walker_type].shape = actor_shape({});
    return rows;
  }
  SpawnOrder order(TypeId type) {
    return {.id = make_entity_id(1, Tick{1000}, ordinal++), .type = type};
  }
  GameState state(const Chest& chest) const {
    GameState out;
    out.as<Chest>() = chest;
    return out;
  }
};

TEST_F(AThingState, IsInitialAtFirstAndHasAVersionForEachChange) {
  const Handle chest = world.spawn(order(chest_type));
  ASSERT_NE(world.state(chest), nullptr);
  EXPECT_EQ(*world.state(chest), (ThingState{codec.initial, 0}));
  const std::uint64_t before = world.hash();
  EXPECT_TRUE(world.set_state(chest, state({.opened_at = 5})));
  EXPECT_EQ(world.state(chest)->value.as<Chest>().opened_at, 5U);
  EXPECT_EQ(world.state(chest)->version, 1U);
  EXPECT_NE(world.hash(), before);
  EXPECT_TRUE(world.set_state(chest, state({.opened_at = 5})));
  EXPECT_EQ(world.state(chest)->version, 1U) << "nothing has changed";
}

TEST_F(AThingState, IsThatOfTheOrderThatSpawnsIt) {
  SpawnOrder rich = order(chest_type);
  rich.state = state({.coins = 100});
  const Handle chest = world.spawn(rich);
  EXPECT_EQ(world.state(chest)->value.as<Chest>().coins, 100);
  EXPECT_EQ(world.state(chest)->version, 1U) << "clients have to be told";
  SpawnOrder rock = order(rock_type);
  rock.state = state({});
  EXPECT_EQ(world.try_spawn(rock).refusal, SpawnRefusal::NoState);
}

TEST_F(AThingState, BelongsToTypesThatHaveOneAndToTheOwner) {
  const Handle rock = world.spawn(order(rock_type));
  EXPECT_EQ(world.state(rock), nullptr);
  EXPECT_FALSE(world.set_state(rock, state({})));
  EXPECT_FALSE(world.set_state(12'345, state({})));
  SpawnOrder foreign = order(chest_type);
  foreign.handle = 1U << 21;
  foreign.remote = true;
  const Handle theirs = world.spawn(foreign);
  EXPECT_FALSE(world.set_state(theirs, state({.coins = 1})));
  EXPECT_TRUE(world.set_remote_state(theirs, {state({.coins = 1}), 7}));
  EXPECT_EQ(world.state(theirs)->version, 7U);
  EXPECT_FALSE(world.set_remote_state(rock, {}));
  EXPECT_TRUE(world.stated().empty());
  EXPECT_EQ(world.game_faults().total(), 0U);
  const World::GameCall call(world);
  EXPECT_FALSE(world.set_state(rock, state({})));
  EXPECT_EQ(world.game_faults().total(), 1U) << "a mistake of the game";
}

TEST_F(AThingState, IsReportedAndSaysWhetherClientsSeeTheChange) {
  const Handle chest = world.spawn(order(chest_type));
  world.set_state(chest, state({.trap = 1}));
  EXPECT_EQ(world.stated().size(), 1U);
  EXPECT_TRUE(world.take_shown().empty()) << "a trap is for workers only";
  world.set_state(chest, state({.coins = 8, .trap = 1}));
  EXPECT_EQ(world.stated().size(), 2U);
  world.forget_stated();
  EXPECT_TRUE(world.stated().empty());
  EXPECT_EQ(world.take_shown().size(), 1U) << "whoever tells clients takes them at another time";
  EXPECT_TRUE(world.take_shown().empty());
}

TEST_F(AThingState, GoesWithItsGroupAsBytes) {
  for (const TypeId type : {chest_type, crate_type}) {
    const Handle thing = world.spawn(order(type));
    world.set_state(thing, state({.opened_at = 3, .coins = 7, .trap = 2}));
    world.set_state(thing, state({.opened_at = 3, .coins = 6, .trap = 2}));
    const ThingState was = *world.state(thing);
    const std::vector<Handle> members{thing};
    const auto bytes = to_bytes(world.extract(members));
    world.release(members);
    EXPECT_EQ(world.state(thing), nullptr);
    const auto read = group_from_bytes(bytes, types);
    ASSERT_TRUE(read);
    ASSERT_TRUE(there.insert(*read));
    ASSERT_NE(there.state(thing), nullptr);
    EXPECT_EQ(*there.state(thing), was);
    EXPECT_EQ(was.version, 2U);
    std::vector<EntityType> without = types;
    without[type].state = nullptr;
    EXPECT_FALSE(group_from_bytes(bytes, without)) << "a state that the type does not have";
  }
}

TEST_F(AThingState, StaysWhenTheOwnerChanges) {
  SpawnOrder foreign = order(chest_type);
  foreign.handle = 1U << 21;
  foreign.remote = true;
  const Handle chest = world.spawn(foreign);
  world.set_remote_state(chest, {state({.coins = 2}), 5});
  const std::vector<Handle> members{chest};
  world.make_own(members);
  EXPECT_TRUE(world.set_state(chest, state({.coins = 1})));
  EXPECT_EQ(world.state(chest)->version, 6U);
}

TEST_F(AThingState, OfASuccessorIsNewerThanAllLostChanges) {
  const Handle chest = world.spawn(order(chest_type));
  const Handle rock = world.spawn(order(rock_type));
  world.set_state(chest, state({.coins = 1}));
  world.outdate_lost_changes(std::vector<Handle>{chest, rock});
  EXPECT_EQ(world.state(chest)->version, 1 + ThingState::lost_changes_max);
  EXPECT_EQ(world.state(chest)->value.as<Chest>().coins, 1);
  EXPECT_EQ(world.stated().size(), 1U) << "receivers get the whole entity from its new owner";
}

TEST_F(AThingState, OfTheWorldIsThatOfOneTypeAndOneEntity) {
  types.push_back(world_row(4, "score", codec));
  EXPECT_TRUE(check(types));
  EXPECT_EQ(find_world_row(types), &types[4]);
  World scored{{.types = types, .handle_base = 1, .start = Tick{1000}}};
  EXPECT_EQ(scored.world_entity(), no_entity);
  SpawnOrder foreign = order(4);
  foreign.handle = 1U << 21;
  foreign.remote = true;
  const Handle first = scored.spawn(foreign);
  const Handle second = scored.spawn(order(4));
  EXPECT_EQ(scored.world_entity(), first) << "the smallest id";
  scored.despawn(first);
  EXPECT_EQ(scored.world_entity(), second);
  types.push_back(world_row(5, "score", codec));
  EXPECT_FALSE(check(types)) << "the world has one state";
  types.pop_back();
  types[4].state = nullptr;
  EXPECT_FALSE(check(types));
  types[4] = world_row(4, "score", codec);
  types[4].kind = EntityKind::Body;
  types[4].trigger = false;
  types[4].mass_kg = 1;
  EXPECT_FALSE(check(types));
}

TEST_F(AThingState, IsNotForActorsAndIsPartOfTheSchema) {
  EXPECT_TRUE(check(types));
  std::vector<EntityType> wrong = types;
  wrong[walker_type].state = &codec;
  EXPECT_FALSE(check(wrong));
  StateHash with, without;
  add_types(with, types);
  wrong = types;
  wrong[chest_type].state = nullptr;
  add_types(without, wrong);
  EXPECT_NE(with.value(), without.value());
}

}  // namespace
}  // namespace perigee::world
