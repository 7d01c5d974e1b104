// A worker dies and restarts with an empty memory, while ships that it had spawned sail on at its
// neighbour: the entities that it spawns now have new identities.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

constexpr double berth_m = 90;  // from the border
constexpr double lane_m = 60;
constexpr double speed_m_s = 40;

/// Each incarnation of a worker starts with a ship in its own lane; the ship sails to the other
/// side of the border and stays there.
class Emigrants final : public Stage {
 public:
  Emigrants() : Stage({}, {ship()}) {}

  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    const double side = region.low.x < 0 ? -1 : 1;
    const auto spawn = [&](std::uint32_t ordinal, world::TypeId type, Handle parent, Vec3 at) {
      return world.spawn({.id = world::make_entity_id(spawner, Tick{}, ordinal),
                          .type = type,
                          .parent = parent,
                          .local = {at, {}}});
    };
    const Handle made =
        spawn(side < 0 ? 0 : 1, platform_row, no_entity, {side * berth_m, 0, lane_m * spawner});
    spawn(2, skiff::ferry_door_row, made, {0, 1.5, 8});
  }
  void drive(world::World& world, Tick tick) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      const auto now = world.motion(handle, tick);
      if (entity.type != platform_row || entity.remote || !now) continue;
      const double goal_x = entity.id.ordinal() == 0 ? berth_m : -berth_m;
      const double left_m = goal_x - now->pose.position.x;
      world.set_drive(handle, {std::clamp(left_m, -speed_m_s, speed_m_s), 0, 0}, {});
    }
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type != platform_row || entity.remote) continue;
      world::ActorSpawn out{.type = skiff::character_row, .parent = handle};
      out.state.position = {0, tunables().character.height_m / 2 + 0.01, 0};
      return out;
    }
    PERIGEE_ASSERT(false, "somebody's ship is there");
  }

 private:
  static world::EntityType ship() {
    const PenPlan plan = obstacle_pen(1);
    return {.name = "ship",
            .kind = world::EntityKind::Body,
            .shape = plan.shape,
            .mass_kg = 2e6,
            .size = world::SizeClass::Medium,
            .parent_eligible = true,
            .gravity = {{0, -plan.tunables.gravity_m_s2, 0}, plan.air}};
  }
};

struct Emigration {
  Emigrants game;
  std::unique_ptr<VirtualCluster> cluster;

  explicit Emigration(std::string_view profile) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.players = 4;
    cluster = std::make_unique<VirtualCluster>(
        options, game, [](const client::Client&, std::uint64_t own) { return make_stroller(own); });
  }
  const world::World& world(std::size_t worker) const { return cluster->worker(worker).world(); }
  std::set<Handle> owned_by(std::size_t worker) const {
    std::set<Handle> out;
    for (const Handle handle : world(worker).in_order()) {
      if (!world(worker).find(handle)->remote) out.insert(handle);
    }
    return out;
  }
  std::map<Handle, std::uint64_t> avatars() {
    std::map<Handle, std::uint64_t> out;
    for (VirtualPlayer& player : cluster->players()) {
      out[player.client->prediction().avatar()] = player.client_id;
    }
    return out;
  }
  /// Each entity has one owner, and the other worker knows it by the same identity.
  void expect_each_thing_once() const {
    std::map<std::uint64_t, Handle> by_id;
    for (std::size_t w = 0; w < 2; ++w) {
      for (const Handle handle : world(w).in_order()) {
        const world::Entity& here = *world(w).find(handle);
        const world::Entity* there = world(1 - w).find(handle);
        if (there != nullptr) {
          EXPECT_EQ(there->id, here.id) << handle;
          EXPECT_NE(there->remote, here.remote) << handle << " is owned twice, or by nobody";
        }
        const auto known = by_id.emplace(here.id.bits, handle).first;
        EXPECT_EQ(known->second, handle) << "two things of one id";
      }
    }
  }
  /// All clients see all ships.
  void expect_clients_see_that() {
    for (const VirtualPlayer& player : cluster->players()) {
      const client::EntityStore& seen = player.client->entities();
      for (std::size_t w = 0; w < 2; ++w) {
        for (const Handle handle : owned_by(w)) {
          const world::Entity& thing = *world(w).find(handle);
          const client::ClientEntity* entity = seen.find(handle);
          ASSERT_NE(entity, nullptr) << handle << " of type " << int{thing.type};
          EXPECT_EQ(entity->identity, thing.id.bits);
          EXPECT_EQ(entity->type, thing.type);
        }
      }
      EXPECT_EQ(seen.all().size(), owned_by(0).size() + owned_by(1).size());
    }
  }
};

class AfterAWorkerStartedAgain : public ::testing::TestWithParam<const char*> {};

TEST_P(AfterAWorkerStartedAgain, NothingIsTakenForWhatItsFormerIncarnationMade) {
  Emigration flight(GetParam());
  VirtualCluster& cluster = *flight.cluster;
  cluster.run_for(12'000'000);
  ASSERT_EQ(cluster.playing(), 4U);
  const auto avatars = flight.avatars();
  const std::set<Handle> emigrants = flight.owned_by(1);
  ASSERT_EQ(emigrants.size(), 4U) << "a ship with its door and two people";
  for (const Handle handle : emigrants) EXPECT_LT(handle, 2U << 20) << "the first one's";

  cluster.restart_worker(0, 300'000);
  cluster.run_for(1'000'000);
  std::set<Handle> before;
  for (const Handle handle : flight.world(1).in_order()) before.insert(handle);
  cluster.restart_figures();
  cluster.run_for(20'000'000);

  EXPECT_EQ(cluster.playing(), 4U);
  flight.expect_each_thing_once();
  flight.expect_clients_see_that();
  const std::set<Handle> now = flight.owned_by(1);
  for (const Handle handle : emigrants) EXPECT_TRUE(now.contains(handle)) << "it lives on";
  EXPECT_EQ(now.size(), 4U + 2U + 2U)
      << "and the next incarnation's ship has come, and two who had died";
  int stayed = 0;
  for (const auto& [avatar, client_id] : flight.avatars()) {
    stayed += emigrants.contains(avatar) && avatars.at(avatar) == client_id;
  }
  EXPECT_EQ(stayed, 2) << "whoever was aboard still is";
  EXPECT_EQ(cluster.figures().play.missed, 0U);
}
// The worker dies before, during and after migrations of ships, to it and from it.
TEST(AWorkerThatStartsAgain, LeavesEverybodyWithOneAvatarWheneverItDies) {
  for (Micros dies_us = 2'500'000; dies_us < 5'500'000; dies_us += 170'000) {
    SCOPED_TRACE(dies_us);
    Emigration flight("P0");
    flight.cluster->run_for(dies_us);
    flight.cluster->restart_worker(0, 300'000);
    flight.cluster->run_for(6'000'000);
    EXPECT_EQ(flight.cluster->playing(), 4U);
    std::size_t served = 0;
    for (std::size_t w = 0; w < 2; ++w) served += flight.cluster->worker(w).summary().players;
    EXPECT_EQ(served, 4U) << "one avatar of each";
    flight.expect_each_thing_once();
  }
}
INSTANTIATE_TEST_SUITE_P(Profiles, AfterAWorkerStartedAgain, ::testing::Values("P0", "P2"));

}  // namespace
}  // namespace perigee::lab
