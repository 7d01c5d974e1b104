// A game moves actors by its own will: jump pads throw them, mud slows them. Their clients predict
// both, so no player is corrected: alone, across a border between workers, and while a worker dies.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {
namespace {

struct Hopper {
  std::uint16_t thrown = 0;
  std::uint8_t in_mud = 0;
  std::uint8_t unused = 0;
  static void fields(auto&& field, auto& hopper) {
    using world::SeenBy;
    field(hopper.thrown, SeenBy::Everybody);
    field(hopper.in_mud, SeenBy::Owner);
    field(hopper.unused, SeenBy::Owner);
  }
};

/// Two floors that meet at x = 0. Across each of them lie a pad and a strip of mud, and another pad
/// lies on both sides of the edge.
class PadCourse final : public world::GameModule {
 public:
  enum Row : world::TypeId { floor_row, pad_row, mud_row, hopper_row };
  static constexpr double floor_half_m = 50;

  /// Without powers pads and mud do nothing: for comparison.
  explicit PadCourse(bool powers) : powers_(powers), types_(4) {
    const double half = floor_half_m;
    types_[floor_row] = {
        .id = floor_row,
        .name = "floor",
        .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {half, 0.5, half}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0}, {{-half, -5, -half}, {half, 30, half}}}};
    types_[pad_row] = {.id = pad_row,
                       .name = "pad",
                       .shape = world::make_shape({{.half = {1, 0.2, half}}}),
                       .size = world::SizeClass::Large,
                       .trigger = true};
    types_[mud_row] = {.id = mud_row,
                       .name = "mud",
                       .shape = world::make_shape({{.half = {3, 0.5, half}}}),
                       .size = world::SizeClass::Large,
                       .trigger = true};
    types_[hopper_row] = {.id = hopper_row,
                          .name = "hopper",
                          .kind = world::EntityKind::Actor,
                          .shape = world::actor_shape({})};
  }
  std::string_view name() const override { return "pads"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    std::uint32_t ordinal = 0;
    const auto add = [&](world::TypeId type, double x) {
      const Vec3 place{x, 0, 0};
      const std::uint32_t own = ordinal++;
      if (!region.contains(place)) return;
      world.spawn(
          {.id = world::make_entity_id(spawner, Tick{}, own), .type = type, .local = {place, {}}});
    };
    for (const double side : {-1.0, 1.0}) {
      add(floor_row, side * floor_half_m);
      add(pad_row, side * 20);
      add(mud_row, side * 34);
    }
    add(pad_row, 0);
  }
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = hopper_row};
    for (const Handle handle : world.in_order()) {
      const world::Entity& floor = *world.find(handle);
      const bool here = floor.type == floor_row && region.contains(floor.local.position);
      if (here && out.parent == no_entity) out.parent = handle;
    }
    const double lane_m = region.low.x < 0 ? 0 : 2;  // each on a lane of its own
    out.state.position = {0, 0.91, -12 + lane_m + 4.0 * (ordinal % 7)};
    return out;
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    if (state.as<Hopper>().in_mud != 0) context.limit_speed(0.3);
  }
  void after_motion(world::ActorContext& context, world::GameState& state) const override {
    if (!powers_) return;
    auto& hopper = state.as<Hopper>();
    for (const world::TriggerContact& trigger : context.triggers()) {
      if (trigger.type == mud_row) hopper.in_mud = trigger.left ? 0 : 1;
      if (trigger.type != pad_row || !trigger.entered) continue;
      context.impulse({0, 8, 0});
      ++hopper.thrown;
    }
  }

 private:
  bool powers_;
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_ = world::codec_of<Hopper>();
};

/// Runs back and forth over everything.
class CourseRunner final : public client::InputSampler {
 public:
  explicit CourseRunner(const client::Client& client) : client_(client) {}
  PlayerInput sample(Tick tick) override {
    const client::Prediction& prediction = client_.prediction();
    const auto parent = client_.entities().motion_at(prediction.parent(), tick);
    if (!parent) return {.tick = tick};
    const double x = transform(parent->pose, prediction.state().position).x;
    if (x > 44) back_ = true;
    if (x < -44) back_ = false;
    PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
    input.yaw = back_ ? 49152 : 16384;
    return input;
  }

 private:
  const client::Client& client_;
  bool back_ = false;
};

struct Course {
  double minutes = 0;
  std::uint64_t corrections = 0;
  std::uint32_t thrown = 0, players = 0, slowed_ticks = 0;
  std::uint32_t thrown_least = ~0U;  ///< of one player
  std::size_t changes_of_worker = 0;
  int people_seen = 0, people_named = 0;  ///< by all clients, at the end
};

struct CoursePlan {
  std::uint32_t workers = 1;
  bool powers = true;
  bool one_dies = false;
};

Course run_course(const CoursePlan& plan, std::string_view profile, std::uint64_t seed) {
  const PadCourse game(plan.powers);
  ClusterOptions options;
  options.link = *find_link_profile(profile);
  options.players = 6;
  options.workers = plan.workers;
  options.regions = plan.workers > 2 ? 2 : 0;  // the third one starts without a region
  options.standbys = true;
  options.seed = seed;
  VirtualCluster cluster(options, game, [](const client::Client& client, std::uint64_t) {
    return std::make_unique<CourseRunner>(client);
  });
  Course out;
  std::map<std::uint64_t, const worker::Core*> at;
  std::map<std::uint64_t, std::uint32_t> thrown;
  cluster.run_for(8'000'000);
  cluster.restart_figures();
  cluster.before_tick = [&](worker::Core& core) {
    core.for_each_player([&](const worker::Player& player) {
      const auto& hopper = player.game.as<Hopper>();
      thrown[player.client_id] = hopper.thrown;
      out.slowed_ticks += hopper.in_mud;
      out.changes_of_worker += at[player.client_id] != &core;
      at[player.client_id] = &core;
    });
  };
  cluster.run_for(60'000'000);
  if (plan.one_dies) cluster.kill_worker(0);
  cluster.run_for(60'000'000);
  const PlayerFigures figures = cluster.figures();
  out.minutes = figures.minutes;
  out.corrections = figures.corrections;
  out.players = static_cast<std::uint32_t>(thrown.size());
  for (const VirtualPlayer& player : cluster.players()) {
    for (const auto& entity : player.client->entities().all()) {
      if (entity->type != PadCourse::hopper_row) continue;
      ++out.people_seen;
      out.people_named += !player.client->player_name(entity->handle).empty();
    }
  }
  for (const auto& [client, times] : thrown) {
    out.thrown += times;
    out.thrown_least = std::min(out.thrown_least, times);
  }
  std::printf(
      "%u workers: %.1f minutes, %u throws, %u slow ticks, %zu changes of worker, %llu "
      "corrections\n",
      plan.workers, out.minutes, out.thrown, out.slowed_ticks, out.changes_of_worker,
      static_cast<unsigned long long>(out.corrections));
  return out;
}

TEST(APadAndMud, CostNoCorrectionAlone) {
  for (const std::uint64_t seed : {1ULL, 2ULL}) {
    const Course course = run_course({}, "P2", seed);
    EXPECT_EQ(course.players, 6U);
    EXPECT_GT(course.thrown, 100U);
    EXPECT_GT(course.slowed_ticks, 1'000U);
    EXPECT_EQ(course.corrections, run_course({.powers = false}, "P2", seed).corrections);
  }
}

// One announcement of a new parent in 70 comes late to an actor that flies over the seam.
TEST(APadAndMud, CostNoCorrectionAcrossABorder) {
  const Course course = run_course({.workers = 2}, "P2", 3);
  EXPECT_GT(course.thrown_least, 30U);
  EXPECT_GT(course.changes_of_worker, 60U);
  EXPECT_LE(course.corrections, 2U);
  EXPECT_EQ(course.people_seen, 36);
  EXPECT_EQ(course.people_named, course.people_seen) << "names change workers with their players";
  EXPECT_EQ(run_course({.workers = 2, .powers = false}, "P2", 3).corrections, 0U);
}

TEST(APadAndMud, LoseNothingWhenAWorkerDies) {
  const Course course = run_course({.workers = 3, .one_dies = true}, "P2", 4);
  EXPECT_EQ(course.players, 6U);
  EXPECT_GT(course.thrown_least, 30U) << "everybody goes on after the death";
  EXPECT_GT(course.minutes, 11.5);
  EXPECT_LE(course.corrections, 2U);
  EXPECT_EQ(course.people_seen, 36);
  EXPECT_EQ(course.people_named, course.people_seen);
}

}  // namespace
}  // namespace perigee::lab
