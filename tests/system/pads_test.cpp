// A game moves actors by its own will: jump pads throw them, mud slows them. Their clients predict
// both, so no player is corrected: alone, across a border between workers, and while a worker dies.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "two_floors.hpp"

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
class PadCourse final : public TwoFloors {
 public:
  enum Row : world::TypeId { pad_row = rows_of_floors, mud_row };

  /// Without powers pads and mud do nothing: for comparison.
  explicit PadCourse(bool powers) : TwoFloors("pads", world::codec_of<Hopper>()), powers_(powers) {
    add({.id = pad_row,
         .name = "pad",
         .shape = world::make_shape({{.half = {1, 0.2, half_m}}}),
         .size = world::SizeClass::Large,
         .trigger = true});
    add({.id = mud_row,
         .name = "mud",
         .shape = world::make_shape({{.half = {3, 0.5, half_m}}}),
         .size = world::SizeClass::Large,
         .trigger = true});
  }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    TwoFloors::populate(world, region, spawner);
    std::uint32_t ordinal = 2;
    for (const double side : {-1.0, 1.0}) {
      place(world, region, spawner, ordinal++, pad_row, side * 20);
      place(world, region, spawner, ordinal++, mud_row, side * 34);
    }
    place(world, region, spawner, ordinal, pad_row, 0);
  }
  Vec3 start(bool left, std::uint32_t ordinal) const override {
    return {0, 0.91, (left ? -12.0 : -10.0) + 4.0 * (ordinal % 7)};
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
    return std::make_unique<LaneRunner>(client, 44);
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
      if (entity->type != PadCourse::actor_row) continue;
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
