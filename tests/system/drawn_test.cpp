// Errors of the drawn poses of others: people within 80 m, and the bow of a hull that turns 200 m
// away.
#include <gtest/gtest.h>

#include "perigee/base/link_simulator.hpp"
#include "perigee/lab/drawn_meter.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

/// A pier with people on it, and a hull of 60 m that weaves around it: 200 m away, 14 to
/// 25 m/s, turning by up to 25 degrees a second.
class Regatta final : public world::GameModule {
 public:
  enum Row : world::TypeId { pier_row, hull_row, person_row, rows };
  static constexpr double away_m = 200, half_hull_m = 30;

  Regatta() : types_(rows) {
    const auto box = [](const Vec3& center, const Vec3& half) {
      return world::make_shape({world::Box{.center = center, .half = half}});
    };
    types_[pier_row] = {.name = "pier",
                        .shape = box({0, -0.5, 0}, {10, 0.5, 10}),
                        .size = world::SizeClass::Large,
                        .parent_eligible = true,
                        .gravity = {{0, -9.81, 0}, {{-10, -1, -10}, {10, 4, 10}}}};
    types_[hull_row] = {.name = "hull",
                        .kind = world::EntityKind::Body,
                        .shape = box({}, {6, 3, half_hull_m}),
                        .mass_kg = 2e6,
                        .size = world::SizeClass::Large};
    types_[person_row] = {
        .name = "person", .kind = world::EntityKind::Actor, .shape = world::actor_shape({})};
    for (std::size_t i = 0; i < types_.size(); ++i) types_[i].id = static_cast<world::TypeId>(i);
  }
  std::string_view name() const override { return "regatta"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  static Pose course(Tick tick) {
    const double s = tick.count * seconds_per_tick;
    const double way = 0.1 * s + 0.04 * sin_cos(2 * pi * s / 7).sin;
    const SinCos at = sin_cos(way);
    const double radius_m = away_m + 15 * sin_cos(2 * pi * s / 11).sin;
    const double yaw = -way + 0.6 * sin_cos(2 * pi * s / 9).sin;
    return {{radius_m * at.cos, 10, radius_m * at.sin}, yaw_rotation(yaw)};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    if (region.low.x > 0 || region.high.x <= 0) return;
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, 0), .type = pier_row});
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, 1),
                 .type = hull_row,
                 .local = course(world.now())});
  }
  void drive(world::World& world, Tick tick) const override {
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type != hull_row || entity.remote) continue;
      const Pose now = *world.pose(handle, tick), next = course(tick + 1);
      world.set_drive(handle, (next.position - now.position) / seconds_per_tick,
                      rotation_vector(next.rotation * conjugate(now.rotation)) / seconds_per_tick);
    }
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = person_row};
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type == pier_row) out.parent = handle;
    }
    out.state.position = {2.0 * ordinal, types_[person_row].actor.height_m / 2 + 0.01, 0};
    return out;
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

/// Turns about and walks to and fro in steps of half a second.
struct Paces final : client::InputSampler {
  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    input.forward = tick.count / 30 % 4 < 2 ? 60 : -60;
    return input;
  }
};

TEST(DrawnErrors, OfAHullOf60MetersAreFiveCentimetersAtItsBowFrom200MetersAway) {
  const Regatta game;
  for (const char* profile : {"P1", "P2", "P3"}) {
    ClusterOptions options;
    options.link = *find_link_profile(profile);
    options.workers = 1;
    options.players = 2;
    VirtualCluster cluster(options, game, [](const client::Client&, std::uint64_t) {
      return std::make_unique<Paces>();
    });
    cluster.run_for(10'000'000);
    cluster.restart_figures();
    cluster.run_for(60'000'000);
    const PlayerFigures figures = cluster.figures();
    ASSERT_GT(figures.hulls_drawn_m.size(), 400U) << profile;
    ASSERT_GT(figures.people_drawn_m.size(), 400U) << profile;
    std::printf(
        "%s: bow p50 %.1f cm, p99 %.1f cm, most %.1f cm; people p50 %.2f cm, p99 %.2f cm\n",
        profile, 100 * quantile(figures.hulls_drawn_m, 0.5),
        100 * quantile(figures.hulls_drawn_m, 0.99), 100 * quantile(figures.hulls_drawn_m, 1),
        100 * quantile(figures.people_drawn_m, 0.5), 100 * quantile(figures.people_drawn_m, 0.99));
    EXPECT_LE(quantile(figures.hulls_drawn_m, 0.99), 0.05) << profile;
  }
}

}  // namespace
}  // namespace perigee::lab
