// All moving parts of Skiff's world, ridden by players over a network of 100 ms, without a visible
// correction.
#include <gtest/gtest.h>

#include "flight.hpp"
#include "pilgrim.hpp"

namespace perigee::skiff {
void PrintTo(Birthplace birthplace, std::ostream* out) {
  *out << (birthplace == Birthplace::Gyre ? "Gyre" : "Carousel");
}
}  // namespace perigee::skiff

namespace perigee {
namespace {

/// Players with itineraries, on P2.
struct Pilgrimage {
  skiff::Skiff game;
  std::vector<const Pilgrim*> pilgrims;
  std::unique_ptr<lab::VirtualCluster> cluster;

  /// Players take these itineraries in turn.
  Pilgrimage(std::uint32_t players, std::vector<std::vector<Stop>> ways,
             const skiff::Tunables& tunables = {})
      : game(tunables) {
    lab::ClusterOptions options;
    options.link = *find_link_profile("P2");
    options.players = players;
    options.seed = 4;
    cluster = std::make_unique<lab::VirtualCluster>(
        options, game, [this, ways](const client::Client& client, std::uint64_t seed) {
          const auto& way = ways[pilgrims.size() % ways.size()];
          auto pilgrim = std::make_unique<Pilgrim>(client, way, seed);
          pilgrims.push_back(pilgrim.get());
          return pilgrim;
        });
  }
  void run(double seconds) { cluster->run_for(static_cast<Micros>(seconds * 1e6)); }
  /// At most one correction per minute and player, as counted by the oracle.
  void expect_few_corrections() const {
    double minutes = 0;
    std::uint64_t corrections = 0;
    for (const auto& player : cluster->players()) {
      minutes += player.oracle.figures().minutes;
      corrections += player.oracle.figures().corrections;
      EXPECT_EQ(player.oracle.figures().parent_jumps, 0U);
      EXPECT_EQ(player.oracle.figures().ticks_other_parent, 0U);
    }
    EXPECT_GT(minutes, 0);
    EXPECT_LE(static_cast<double>(corrections), minutes);
    std::printf("%.2f corrections per minute and player\n",
                static_cast<double>(corrections) / minutes);
  }
};

// Up with the lift, over the roof, through the trap door: three moving grounds.
TEST(OnTheLift, OneRisesAndFallsThroughTheTrapDoorWithoutCorrections) {
  Pilgrimage players(1, {{{{24, 0, -44}},
                          {{0, 0, -30}},
                          {{-12, 0, -12}},
                          {{-17.9, 0, -12}, 4, 0, skiff::station_lift_row},
                          {{-28.2, 0, -12}, 0.2},
                          {{-30, 0, -12}, 3, 0, skiff::station_trap_row},
                          {{-40, 0, 0}, 10, 6}}});
  players.run(60);
  const Pilgrim& player = *players.pilgrims[0];
  EXPECT_TRUE(player.arrived()) << "after stop " << player.stops_made();
  EXPECT_GT(player.ticks_on(skiff::station_lift_row), 150U);
  EXPECT_GT(player.ticks_on(skiff::station_trap_row), 10U);
  players.expect_few_corrections();
}

TEST(OnTheRotor, PeopleWalkAndJumpWithoutCorrections) {
  Pilgrimage players(4, {{{{8, 0, -38}, 60, 5}}});
  players.run(60);
  std::uint32_t jumps = 0;
  for (const Pilgrim* player : players.pilgrims) {
    EXPECT_GT(player->ticks_on(skiff::station_rotor_row), 1200U);
    jumps += player->jumps();
  }
  EXPECT_GT(jumps, 60U);
  players.expect_few_corrections();
}

class OnATurningDeck : public ::testing::TestWithParam<skiff::Birthplace> {};

// K46: at 25 deg/s; on the carousel 90 m from the axis, where all forces are felt
TEST_P(OnATurningDeck, PeopleWalkAndJumpWithoutCorrections) {
  skiff::Tunables tunables;
  tunables.birthplace = GetParam();
  Pilgrimage players(4, {{{{0, 0, 0}, 120, 4.5}}}, tunables);
  players.run(120);
  const skiff::Row row =
      GetParam() == skiff::Birthplace::Carousel ? skiff::carousel_row : skiff::gyre_row;
  std::uint32_t jumps = 0;
  for (const Pilgrim* player : players.pilgrims) {
    EXPECT_GT(player->ticks_on(row), 1000U);
    jumps += player->jumps();
  }
  for (std::size_t i = 0; i < 4; ++i) {  // none of them was thrown off
    const client::Client& client = *players.cluster->players()[i].client;
    const client::ClientEntity* parent = client.entities().find(client.prediction().parent());
    ASSERT_NE(parent, nullptr);
    EXPECT_EQ(parent->type, row);
  }
  EXPECT_GT(jumps, 60U);
  players.expect_few_corrections();
}
INSTANTIATE_TEST_SUITE_P(Decks, OnATurningDeck,
                         ::testing::Values(skiff::Birthplace::Carousel, skiff::Birthplace::Gyre),
                         ::testing::PrintToStringParamName());

// K40, K46: the driver's client predicts the hull; the riders' clients extrapolate its newest
// motion.
TEST(OnASkiff, DriversAndRidersAreNotCorrectedWhileItIsSteered) {
  skiff::Tunables tunables;
  tunables.birthplace = skiff::Birthplace::Skiff;
  const std::vector<Stop> driver{{{0, 0, 2.3}, 80, 0, skiff::skiff_row}};
  const std::vector<Stop> rider{{{0, 0, -2.5}, 80, 2}};
  Pilgrimage players(4, {driver, driver, rider, rider}, tunables);
  players.run(60);
  for (std::size_t i = 0; i < 4; ++i) {
    const client::Client& client = *players.cluster->players()[i].client;
    const client::VehiclePredictor& vehicle = client.prediction().vehicle();
    EXPECT_EQ(vehicle.predicted(), i < 2) << i;
    EXPECT_EQ(client.telemetry().totals().stalls, 0U);
    if (i < 2) {
      EXPECT_GT(players.pilgrims[i]->ticks_at_controls(), 3000U);
      EXPECT_GT(vehicle.compared(), 1500U);
      // The predicted pose is where the worker then had it, far from its mooring.
      for (std::size_t w = 0; w < 2; ++w) {
        const world::World& world = players.cluster->worker(w).world();
        const world::Entity* body = world.find(vehicle.body());
        if (body == nullptr) continue;
        const Pose* predicted = vehicle.first_predicted(world.now());
        ASSERT_NE(predicted, nullptr);
        const Vec3 truth = world.pose(vehicle.body(), world.now())->position;
        EXPECT_LT(distance(predicted->position, truth), 0.01);
        EXPECT_GT(distance(body->local.position, truth), 30);
      }
    } else {
      EXPECT_GT(players.pilgrims[i]->ticks_on(skiff::skiff_row), 1500U);
    }
  }
  players.expect_few_corrections();
}

// K19, K44: ten links on rotors, animated: on every screen each link stays attached to the next.
TEST(TheWalker, HoldsTogetherOnEveryScreen) {
  Pilgrimage players(2, {{{{30, 0, -40}, 60, 4.5}}});
  players.run(6);
  std::size_t pairs = 0;
  double moved = 0;
  for (int i = 0; i < 60; ++i) {
    players.run(0.1);
    for (const auto& player : players.cluster->players()) {
      const Micros now_us =
          player.clock_offset_us +
          static_cast<Micros>(static_cast<double>(players.cluster->now_us()) * player.clock_rate);
      const client::SceneEntity* before = nullptr;
      for (const client::SceneEntity& link : player.client->scene(now_us)) {
        if (link.type != skiff::walker_link_row) continue;
        EXPECT_FALSE(player.client->entities().parent_motions().tick_of(link.handle));
        if (before != nullptr && link.handle == before->handle + 1) {
          const Vec3 end = transform(before->world, {1, 0, 0});
          ASSERT_LT(distance(end, transform(link.world, {-1, 0, 0})), 0.08);
          moved = std::max(moved, length(rotation_vector(conjugate(before->world.rotation) *
                                                         link.world.rotation)));
          ++pairs;
        }
        before = &link;
      }
    }
  }
  EXPECT_GT(pairs, 500U);
  EXPECT_GT(moved, 0.1);
}

}  // namespace
}  // namespace perigee
