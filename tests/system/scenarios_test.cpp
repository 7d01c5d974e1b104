// Each scenario does what its name says, beyond what minimum counts can check. (L13 to L17 of the
// lab)
#include <gtest/gtest.h>

#include <map>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

struct Play {
  Scenario scenario;
  std::unique_ptr<world::GameModule> game;
  VirtualCluster cluster;

  Play(const char* name, std::uint32_t players)
      : scenario(*find_scenario(name)),
        game(scenario.stage(players)),
        cluster({.players = players, .link = *find_link_profile("P1")}, *game, scenario.pilot) {}

  /// Places of all entities of a row, by identity; each from the worker that owns it.
  std::map<std::uint64_t, Pose> places(world::TypeId row) const {
    std::map<std::uint64_t, Pose> out;
    for (std::size_t w = 0; w < 2; ++w) {
      const world::World& world = cluster.worker(w).world();
      for (const Handle handle : world.in_order()) {
        const world::Entity& entity = *world.find(handle);
        if (entity.type != row || entity.remote) continue;
        out.emplace(entity.id.bits, *world.pose(handle, world.now()));
      }
    }
    return out;
  }
  /// Distance that entities of a row travel in this many seconds, sampled each tenth of a second;
  /// sum of all.
  double way_m(world::TypeId row, int seconds) {
    double sum = 0;
    auto last = places(row);
    for (int i = 0; i < 10 * seconds; ++i) {
      cluster.run_for(100'000);
      auto now = places(row);
      for (const auto& [id, pose] : now) sum += distance(pose.position, last.at(id).position);
      last = std::move(now);
    }
    return sum;
  }
};

constexpr world::TypeId pen_row = skiff::rows_count;
constexpr world::TypeId beside_row = pen_row + 1;

TEST(MachinesAboard, GoWithAShipThatIsSteered) {
  Play play("L13", 2);
  play.cluster.run_for(20'000'000);
  EXPECT_GT(play.way_m(pen_row, 5), 10) << "the ships";
  for (const world::TypeId row : {skiff::station_rotor_row, skiff::station_lift_row}) {
    for (const auto& [id, pose] : play.places(row)) {
      double nearest_m = 1000;
      for (const auto& [pen, at] : play.places(pen_row)) {
        nearest_m = std::min(nearest_m, distance(at.position, pose.position));
      }
      EXPECT_LT(nearest_m, 25) << row;
    }
  }
}

TEST(LooseCrates, AreStillPushedAboutAfterTwoMinutes) {
  Play play("L14", 4);
  play.cluster.run_for(120'000'000);
  EXPECT_GT(play.way_m(skiff::crate_row, 30), 4 * 10.0) << "10 m for each player";
}

TEST(ACorridorAcrossTheBorder, HoldsEverybody) {
  Play play("L15w", 16);
  play.cluster.run_for(20'000'000);
  EXPECT_EQ(play.places(pen_row).size(), 1U);
  const auto people = play.places(skiff::character_row);
  EXPECT_EQ(people.size(), 16U);
  for (const auto& [id, pose] : people) {
    EXPECT_LT(std::abs(pose.position.x), 20);
    EXPECT_LT(std::abs(pose.position.z), 1.5);
  }
}

TEST(PistonsThatAreTurnedBack, GoSlowlyAndNeverJump) {
  Play play("L16", 2);
  play.cluster.run_for(5'000'000);
  const std::size_t machines = play.places(skiff::station_lift_row).size();
  EXPECT_EQ(machines, 16U);
  constexpr double tick_m = 0.5 / default_tick_rate_hz;
  double moved_m = 0;
  auto last = play.places(skiff::station_lift_row);
  for (int tick = 0; tick < 1200; ++tick) {
    play.cluster.run_for(1'000'000 / default_tick_rate_hz);
    auto now = play.places(skiff::station_lift_row);
    for (const auto& [id, pose] : now) {
      const double step_m = distance(pose.position, last.at(id).position);
      ASSERT_LT(step_m, 2.1 * tick_m) << "two ticks may have passed";
      moved_m += step_m;
    }
    last = std::move(now);
  }
  EXPECT_GT(moved_m, 0.5 * 20 * 0.5 * static_cast<double>(machines)) << "half of the time";
}

TEST(ASeam, IsWalkedOverWhileBothHullsGoAsOne) {
  Play play("L17", 2);
  play.cluster.run_for(5'000'000);
  std::map<std::uint64_t, world::TypeId> stood_on;
  int changes = 0;
  for (int i = 0; i < 300; ++i) {
    play.cluster.run_for(100'000);
    const auto hulls = play.places(pen_row);
    const auto others = play.places(beside_row);
    ASSERT_EQ(hulls.size(), others.size());
    for (const auto& [id, hull] : hulls) {
      double nearest_m = 1000;
      for (const auto& [other, at] : others) {
        nearest_m = std::min(nearest_m, distance(transform(hull, {18.1, 0, 0}), at.position));
      }
      ASSERT_LT(nearest_m, 0.01);
    }
    for (const VirtualPlayer& player : play.cluster.players()) {
      const client::ClientEntity* parent =
          player.client->entities().find(player.client->prediction().parent());
      ASSERT_NE(parent, nullptr);
      const auto [known, first] = stood_on.emplace(player.client_id, parent->type);
      changes += !first && known->second != parent->type;
      known->second = parent->type;
    }
  }
  EXPECT_GT(changes, 10);
}

}  // namespace
}  // namespace perigee::lab
