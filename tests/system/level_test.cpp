// Players in a level from a file begin at its points, run across triangles and over a hull, and
// predict all of it.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/level/static_entities.hpp"
#include "perigee/world/schema.hpp"
#include "unit/level/levels.hpp"

namespace perigee::lab {
namespace {

class Courtyard final : public world::GameModule {
 public:
  Courtyard() {
    auto read = level::read_level(level::bytes_of(level::courtyard()));
    PERIGEE_ASSERT(read.ok(), "the level can be read");
    level_ = std::move(read).value();
    auto types = level::static_types(level_, 0);
    PERIGEE_ASSERT(types.ok(), "the level has few shapes");
    types_ = std::move(types).value();
    types_[0].parent_eligible = true;
    types_[0].gravity = {{0, -9.81, 0}, {{-50, -20, -50}, {50, 50, 50}}};
    person_row_ = static_cast<world::TypeId>(types_.size());
    types_.push_back({.id = person_row_,
                      .name = "person",
                      .kind = world::EntityKind::Actor,
                      .shape = world::actor_shape({})});
  }
  std::string_view name() const override { return "courtyard"; }
  std::uint64_t schema_hash() const override {
    StateHash hash;
    world::add_types(hash, types_);
    return hash.add(level_.hash).value();
  }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    level::spawn_instances(world, level_, 0, region, spawner);
  }
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    const auto points = level_.points_like("spawn");
    world::ActorSpawn out{.type = person_row_};
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type == 0) out.parent = handle;
    }
    out.state.position = points[ordinal % points.size()].pose.position;
    return out;
  }
  const level::Level& level() const { return level_; }

 private:
  level::Level level_;
  std::vector<world::EntityType> types_;
  world::TypeId person_row_ = 0;
  world::ParentingParams parenting_;
};

/// Runs in any direction for a while, and back to the middle when it is near the floor's edge.
class Runner final : public client::InputSampler {
 public:
  Runner(const client::Client& client, std::uint64_t own) : client_(client), own_(own) {}
  PlayerInput sample(Tick tick) override {
    const Vec3& at = client_.prediction().state().position;
    PlayerInput input{.tick = tick, .forward = 127};
    if (std::max(std::abs(at.x), std::abs(at.z)) > 14) homewards_until_ = tick + 90;
    input.yaw = static_cast<std::uint16_t>(mix64(own_, std::uint64_t{tick.count / 70}));
    if (tick.count < homewards_until_.count) {
      const double turns = arc_tangent(-at.x, -at.z) / (2 * pi);
      input.yaw = static_cast<std::uint16_t>(static_cast<std::int32_t>(turns * 65536));
    }
    return input;
  }

 private:
  const client::Client& client_;
  std::uint64_t own_;
  Tick homewards_until_;
};

TEST(ALevelFromAFile, IsPlayed) {
  const Courtyard game;
  ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.players = 2;
  options.seed = 5;
  VirtualCluster cluster(options, game, [](const client::Client& client, std::uint64_t own) {
    return std::make_unique<Runner>(client, own);
  });
  std::map<std::uint64_t, Vec3> first;
  std::map<std::uint64_t, int> stood, on_ice, on_ramp, ticks;
  cluster.before_tick = [&](worker::Core& core) {
    core.for_each_player([&](const worker::Player& player) {
      const std::uint64_t id = player.client_id;
      first.emplace(id, player.state.position);
      ++ticks[id];
      if ((player.state.flags & actor_grounded) != 0) ++stood[id];
      EXPECT_GT(player.state.position.y, 0.8) << "nobody falls through";
      if (player.state.position.x > 0 && player.state.position.z > 0) ++on_ice[id];
      if (player.state.position.y > 1.2) ++on_ramp[id];
    });
  };
  cluster.run_for(10'000'000);
  cluster.restart_figures();
  cluster.run_for(110'000'000);
  ASSERT_EQ(first.size(), 2U);
  for (const auto& [id, place] : first) {
    double nearest = 1e9;
    for (const level::Point& point : game.level().points) {
      nearest = std::min(nearest, distance(point.pose.position, place));
    }
    EXPECT_LT(nearest, 0.5) << "begins at a spawn point";
    EXPECT_GT(stood[id], ticks[id] * 9 / 10);
    EXPECT_GT(on_ice[id], 60);
    EXPECT_GT(on_ramp[id], 10);
  }
  std::printf("%d ticks on ice, %d on the ramp, %d corrections in %.1f player minutes\n",
              on_ice.begin()->second, on_ramp.begin()->second,
              static_cast<int>(cluster.figures().corrections), cluster.figures().minutes);
  EXPECT_EQ(cluster.figures().corrections, 0U);
}

}  // namespace
}  // namespace perigee::lab
