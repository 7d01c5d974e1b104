// The world's state in a whole cluster: players count in it while they run back and forth over a
// border, on a bad network, and a worker dies. Nothing is lost or doubled, and all clients see it.
#include <gtest/gtest.h>

#include <cstdio>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"

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
class Assembly final : public world::GameModule {
 public:
  enum Row : world::TypeId { floor_row, voter_row, ballot_row };
  static constexpr double half_m = 50;
  static constexpr std::uint32_t vote_ticks = 30;
  static constexpr std::uint8_t vote = 1;
  static constexpr std::uint32_t votes_max = 60;  ///< of a player: it votes for half a minute

  Assembly() : types_(3) {
    types_[floor_row] = {
        .id = floor_row,
        .name = "floor",
        .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}};
    types_[voter_row] = {.id = voter_row,
                         .name = "voter",
                         .kind = world::EntityKind::Actor,
                         .shape = world::actor_shape({})};
    types_[ballot_row] = world::world_row(ballot_row, "ballot", ballot_codec_);
  }
  std::string_view name() const override { return "assembly"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    for (const std::uint32_t side : {0U, 1U}) {
      const Vec3 place{side == 0 ? -half_m : half_m, 0, 0};
      if (!region.contains(place)) continue;
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, side),
                   .type = floor_row,
                   .local = {place, {}}});
      if (side != 0) continue;
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, 2),
                   .type = ballot_row,
                   .local = {place, {}}});
    }
  }
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = voter_row};
    const double side = region.contains({-half_m, 0, 0}) ? -1 : 1;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type == floor_row && entity.local.position.x * side > 0) out.parent = handle;
    }
    out.state.position = {-side * 40, 0.91, 3.0 * ordinal - 20};
    return out;
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
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_ = world::codec_of<Voter>();
  world::GameStateCodec ballot_codec_ = world::codec_of<Ballot>();
};

/// Runs back and forth along its lane.
class VotingRunner final : public client::InputSampler {
 public:
  explicit VotingRunner(const client::Client& client) : client_(client) {}
  PlayerInput sample(Tick tick) override {
    const client::Prediction& prediction = client_.prediction();
    const auto parent = client_.entities().motion_at(prediction.parent(), tick);
    if (!parent) return {.tick = tick};
    const double x = transform(parent->pose, prediction.state().position).x;
    if (x > 20) back_ = true;
    if (x < -20) back_ = false;
    PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
    input.yaw = back_ ? 49152 : 16384;
    return input;
  }

 private:
  const client::Client& client_;
  bool back_ = false;
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
    return std::make_unique<VotingRunner>(client);
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
