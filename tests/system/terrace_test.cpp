// Two floors side by side, each with its own gravity volume: a player that runs, jumps or steps
// down from one to the other lands on it and gets it as its parent, with one worker and with two.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

class Terrace final : public world::GameModule {
 public:
  enum Row : world::TypeId { floor_row, person_row };
  static constexpr double half_m = 50;

  /// The second floor is lower by this much.
  explicit Terrace(double drop_m) : drop_m_(drop_m), types_(2) {
    types_[floor_row] = {
        .id = floor_row,
        .name = "floor",
        .kind = world::EntityKind::Static,
        .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}};
    types_[person_row] = {.id = person_row,
                          .name = "person",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({})};
  }
  std::string_view name() const override { return "terrace"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    for (const std::uint32_t side : {0U, 1U}) {
      const Vec3 place = place_of(side);
      if (!region.contains(place)) continue;
      world.spawn({.id = world::make_entity_id(spawner, Tick{}, side),
                   .type = floor_row,
                   .local = {place, {}}});
    }
  }
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = person_row};
    for (const Handle handle : world.in_order()) {
      const world::Entity& floor = *world.find(handle);
      const bool here = floor.type == floor_row && region.contains(floor.local.position);
      if (here && out.parent == no_entity) out.parent = handle;
    }
    out.state.position = {0, 0.91, -6 + 4.0 * ordinal};
    return out;
  }
  Vec3 place_of(std::uint32_t side) const {
    return side == 0 ? Vec3{-half_m, 0, 0} : Vec3{half_m, -drop_m_, 0};
  }

 private:
  double drop_m_;
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

/// Runs back and forth across the edge at x = 0, with or without jumps.
class Strider final : public client::InputSampler {
 public:
  Strider(const client::Client& client, bool jumps) : client_(client), jumps_(jumps) {}
  PlayerInput sample(Tick tick) override {
    const client::Prediction& prediction = client_.prediction();
    const auto parent = client_.entities().motion_at(prediction.parent(), tick);
    if (!parent) return {.tick = tick};
    const double x = transform(parent->pose, prediction.state().position).x;
    if (x > 44) back_ = true;
    if (x < -44) back_ = false;
    PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
    input.yaw = back_ ? 49152 : 16384;
    if (jumps_ && tick.count % 30 == 0) {
      input.samples.push_back({.pressed = button_jump});
    }
    return input;
  }

 private:
  const client::Client& client_;
  bool jumps_;
  bool back_ = false;
};

struct Seen {
  int in_the_air = 0, longest_in_the_air = 0, switches = 0;
  std::size_t workers = 0;
  Handle parent = no_entity;
  const worker::Core* at = nullptr;
};

std::map<std::uint64_t, Seen> stride(std::uint32_t workers, double drop_m, bool jumps) {
  const Terrace game(drop_m);
  ClusterOptions options;
  options.link = *find_link_profile("P1");
  options.players = 2;
  options.workers = workers;
  options.seed = 3;
  VirtualCluster cluster(options, game, [&](const client::Client& client, std::uint64_t) {
    return std::make_unique<Strider>(client, jumps);
  });
  cluster.run_for(5'000'000);
  std::map<std::uint64_t, Seen> seen;
  cluster.before_tick = [&](worker::Core& core) {
    core.for_each_player([&](const worker::Player& player) {
      Seen& one = seen[player.client_id];
      const bool stands = (player.state.flags & actor_grounded) != 0;
      one.in_the_air = stands ? 0 : one.in_the_air + 1;
      one.longest_in_the_air = std::max(one.longest_in_the_air, one.in_the_air);
      if (one.parent != no_entity && player.parent != one.parent) ++one.switches;
      one.parent = player.parent;
      if (one.at != &core) ++one.workers;
      one.at = &core;
    });
  };
  cluster.run_for(120'000'000);
  return seen;
}

class ATerrace : public testing::TestWithParam<std::tuple<std::uint32_t, double, bool>> {};

TEST_P(ATerrace, IsCrossedOnOnesFeet) {
  const auto [workers, drop_m, jumps] = GetParam();
  const auto seen = stride(workers, drop_m, jumps);
  ASSERT_EQ(seen.size(), 2U);
  for (const auto& [client, one] : seen) {
    EXPECT_LE(one.longest_in_the_air, 150) << "a jump takes about a second";
    EXPECT_NE(one.parent, no_entity);
    // 88 m at 10 m/s, or a third of that in jumps; the step up needs a jump.
    const bool returns = drop_m < 0.5 || jumps;
    EXPECT_GE(one.switches, returns ? 4 : 0);
    EXPECT_GE(one.workers, returns && workers == 2 ? 4U : 1U);
    std::printf("client %d: %d switches, longest in the air %d ticks, changes of workers %d\n",
                static_cast<int>(client & 0xff), one.switches, one.longest_in_the_air,
                static_cast<int>(one.workers));
  }
}

INSTANTIATE_TEST_SUITE_P(OfOneWorkerAndOfTwo, ATerrace,
                         testing::Combine(testing::Values(1U, 2U), testing::Values(0.0, 0.6),
                                          testing::Bool()));

}  // namespace
}  // namespace perigee::lab
