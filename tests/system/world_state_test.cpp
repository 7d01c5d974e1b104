// The world's state in a whole cluster: players count in it while they run back and forth over a
// border, on a bad network, and a worker dies. Nothing is lost or doubled, and all clients see it.
#include <gtest/gtest.h>

#include <cstdio>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "two_floors.hpp"

namespace perigee::lab {
namespace {

struct Voter {
  std::uint32_t votes = 0;
  static void fields(auto&& field, auto& voter) { field(voter.votes, world::SeenBy::Owner); }
};
struct Ballot {
  std::uint32_t votes = 0;
  static void fields(auto&& field, auto& ballot) { field(ballot.votes, world::SeenBy::Everybody); }
};

/// Two floors that meet at x = 0, and the world's ballot on the first one. Every player votes twice
/// a second.
class Assembly final : public TwoFloors {
 public:
  enum Row : world::TypeId { ballot_row = rows_of_floors };
  static constexpr std::uint32_t vote_ticks = 30;
  static constexpr std::uint8_t vote = 1;
  static constexpr std::uint32_t votes_max = 60;  ///< of a player: it votes for half a minute

  Assembly() : TwoFloors("assembly", world::codec_of<Voter>()) {
    add(world::world_row(ballot_row, "ballot", ballot_codec_));
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    TwoFloors::populate(world, region, spawner);
    place(world, region, spawner, 2, ballot_row, -half_m);
  }
  Vec3 start(bool left, std::uint32_t ordinal) const override {
    return {left ? 40.0 : -40.0, 0.91, 3.0 * ordinal - 20};
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    const bool votes = context.tick().count % vote_ticks == 0;
    if (votes && state.as<Voter>().votes < votes_max) context.propose({.kind = vote}, 0);
  }
  void apply_event(const world::GameEvent&, world::GameState& state) const override {
    ++state.as<Voter>().votes;
  }
  world::Judgement judge(const world::DrawnScene&, const world::Outcome&) const override {
    return {};
  }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override {
    if (judged.reason != CancelReason::None) return judged;
    const Handle ballot = journal.world_entity();
    const bool counted =
        ballot != no_entity && journal.state(outcome.actor) &&
        journal.send({.tick = outcome.tick, .kind = vote, .from = outcome.actor, .to = ballot});
    if (counted) journal.notify(outcome.actor, {.kind = vote, .tick = outcome.tick});
    return {};
  }
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override {
    EXPECT_FALSE(returned);
    auto state = journal.world_state();
    ASSERT_TRUE(state);
    ++state->as<Ballot>().votes;
    EXPECT_EQ(journal.set_world_state(*state), world::SpawnRefusal::None) << message.to;
  }

 private:
  world::GameStateCodec ballot_codec_ = world::codec_of<Ballot>();
};

void expect_all_votes_count(std::uint32_t workers, std::optional<std::size_t> dies,
                            std::uint64_t seed) {
  const Assembly assembly;
  ClusterOptions options;
  options.link = *find_link_profile("P5");
  options.players = 6;
  options.workers = workers;
  options.regions = workers > 2 ? 2 : 0;
  options.standbys = true;
  options.seed = seed;
  VirtualCluster cluster(options, assembly, [](const client::Client& client, std::uint64_t) {
    return std::make_unique<LaneRunner>(client, 20);
  });
  cluster.run_for(20'000'000);
  if (dies) cluster.kill_worker(*dies);
  cluster.run_for(40'000'000);
  std::uint32_t votes = 0;
  for (const auto& player : cluster.players()) {
    votes += player.client->prediction().game_state().as<Voter>().votes;
  }
  for (const auto& player : cluster.players()) {
    const auto seen = player.client->world_state();
    ASSERT_TRUE(seen);
    EXPECT_EQ(seen->as<Ballot>().votes, votes);
  }
  EXPECT_GT(votes, 200U);
  std::printf("%u workers%s: %u votes\n", workers, dies ? ", one dies" : "", votes);
}

TEST(TheWorldsState, IsKnownToAllPlayersOfAllWorkers) {
  expect_all_votes_count(1, std::nullopt, 1);
  expect_all_votes_count(2, std::nullopt, 2);
}

TEST(TheWorldsState, LosesAndDoublesNothingWhenAWorkerDies) {
  for (const std::size_t dies : {std::size_t{0}, std::size_t{1}}) {
    expect_all_votes_count(3, dies, 3 + dies);
  }
}

}  // namespace
}  // namespace perigee::lab
