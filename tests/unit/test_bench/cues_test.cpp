// Footsteps of others on bad links, across the border of two workers of which one dies.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "perigee/test_bench/bench.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/schema.hpp"

namespace {

using namespace perigee;
using test_bench::Bench;
using test_bench::Heard;
using test_bench::Moment;

enum Row : world::TypeId { street_row, walker_row };
constexpr std::uint8_t footstep = 1;
constexpr double street_m = 100;  // half of it
constexpr double reach_m = 30;
constexpr std::int32_t step_ticks = 30;

/// A street across the border, and people that make two footsteps a second while they walk.
class Street final : public world::GameModule {
 public:
  Street() {
    const world::ActorParams person;
    const Vec3 half{street_m, 0.5, 20};
    types_ = {{.id = street_row,
               .name = "street",
               .kind = world::EntityKind::Static,
               .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = half}}),
               .size = world::SizeClass::Large,
               .parent_eligible = true,
               .gravity = {{0, -9.81, 0}, {{-street_m, -5, -20}, {street_m, 30, 20}}}},
              {.id = walker_row,
               .name = "walker",
               .kind = world::EntityKind::Actor,
               .shape = world::actor_shape(person),
               .actor = person}};
  }
  std::string_view name() const override { return "street"; }
  std::uint64_t schema_hash() const override {
    StateHash hash;
    world::add_types(hash, types_);
    return hash.value();
  }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  void populate(world::World& world, const world::Bounds& region,
                std::uint32_t spawner) const override {
    if (!region.contains({})) return;
    world.spawn({.id = world::make_entity_id(spawner, Tick{}, 0), .type = street_row});
  }
  void drive(world::World&, Tick) const override {}
  bool spawns_players(const world::World&, const world::Bounds& region) const override {
    return region.contains({});
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds&,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = walker_row};
    for (const Handle handle : world.in_order()) {
      if (world.find(handle)->type == street_row) out.parent = handle;
    }
    out.state.position = {0, types_[walker_row].actor.height_m / 2 + 0.01, 3.0 * ordinal - 5};
    return out;
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {.verdict = world::UseVerdict::NotUsable};
  }
  double cue_reach_m(std::uint8_t) const override { return reach_m; }
  void step(world::ActorContext& context, world::GameState&) const override {
    const bool walks = context.input().forward != 0;
    if (walks && context.tick().count % step_ticks == 0) context.cue(footstep);
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
};

const Street street;

/// To and fro along the street at 10 m/s, 70 m to each side: a worker keeps its groups up to 32 m
/// beyond the border.
PlayerInput walk(const Moment& moment) {
  const double phase_s = moment.seconds - 28 * static_cast<int>(moment.seconds / 28);
  const bool there = phase_s < 7 || phase_s >= 21;
  return {.forward = 127,
          .yaw = static_cast<std::uint16_t>(there ? 16'384 : 49'152),
          .held = button_run};
}

PlayerInput stand_aside(const Moment&) { return {}; }

/// The footsteps that happened: those of final ticks that ran with the walker's own input.
struct Truth {
  std::map<Handle, std::set<std::uint32_t>> steps;

  void note(const worker::Core& core) {
    if (!core.ready()) return;
    const Tick settled = core.next_tick() - 20;
    core.for_each_player([&](const worker::Player& player) {
      const world::StepRecord* record = player.records.find(settled);
      if (record == nullptr || record->guessed || record->wishes.cues.empty()) return;
      steps[player.avatar].insert(settled.count);
    });
  }
};

struct Walk {
  static constexpr std::size_t walkers = 4, stander = walkers;
  Truth truth;
  Bench bench;

  explicit Walk(std::uint64_t seed)
      : bench(street, {.players = {{walk}, {walk}, {walk}, {walk}, {stand_aside}},
                       .seed = seed,
                       .cluster = {.heartbeats = true, .standbys = true}}) {
    bench.cluster().before_tick = [this](worker::Core& core) { truth.note(core); };
  }
  Tick now() {
    for (std::size_t i = 0; i < bench.cluster().workers(); ++i) {
      if (bench.cluster().runs(i)) return bench.cluster().worker(i).next_tick();
    }
    return {};
  }
};

/// Asserts what each walker heard of each other one, of ticks for which `counts`.
template <class Counts>
void expect_all_heard_once(const Walk& walk, Counts counts) {
  std::size_t heard_of_others = 0, late = 0, withdrawn = 0;
  for (std::size_t i = 0; i < Walk::walkers; ++i) {
    std::map<Handle, std::vector<std::uint32_t>> heard;
    for (const Heard& each : walk.bench.player(i).heard()) {
      heard[each.cue.entity].push_back(each.cue.tick.count);
      if (!counts(each.cue.tick)) continue;
      ++heard_of_others;
      // A frame of 30 a second has two ticks, and one of ten seconds' frames hitches for six.
      if (each.late_ticks > 3) ++late;
      EXPECT_GE(each.late_ticks, 0);
    }
    EXPECT_GT(walk.bench.player(i).client().heard_counts().repeated, 100U) << "second copies";
    EXPECT_FALSE(heard.contains(walk.bench.player(i).avatar())) << "it hears its own by itself";
    for (std::size_t j = 0; j < Walk::walkers; ++j) {
      if (i == j) continue;
      SCOPED_TRACE(testing::Message() << i << " hears " << j);
      const Handle walker = walk.bench.player(j).avatar();
      const auto& of_one = heard[walker];
      EXPECT_TRUE(std::ranges::is_sorted(of_one)) << "in order";
      EXPECT_EQ(std::ranges::adjacent_find(of_one), of_one.end()) << "once";
      const auto& happened = walk.truth.steps.at(walker);
      for (const std::uint32_t tick : happened) {
        if (!counts(Tick{tick})) continue;
        EXPECT_TRUE(std::ranges::binary_search(of_one, tick)) << "the step at tick " << tick;
      }
      for (const std::uint32_t tick : of_one) {
        if (counts(Tick{tick}) && !happened.contains(tick)) ++withdrawn;
      }
    }
  }
  // The workers know the place of the listener to some decimetres.
  const auto& far = walk.bench.player(Walk::stander);
  EXPECT_GT(far.heard().size(), 50U);
  for (const Heard& each : far.heard()) {
    EXPECT_LE(distance(each.cue.place, far.motion().position), reach_m + 1);
  }
  std::printf("%zu footsteps heard, %zu more than 3 ticks after the picture, %zu withdrawn\n",
              heard_of_others, late, withdrawn);
  EXPECT_GT(heard_of_others, 500U);
  EXPECT_LE(late, heard_of_others / 50);
  EXPECT_EQ(withdrawn, 0U);
}

TEST(Footsteps, AreHeardOnceAcrossTheBorder) {
  Walk walk(5);
  walk.bench.run_s(8);
  const Tick from = walk.now();
  std::set<std::size_t> owners;
  for (int i = 0; i < 80; ++i) {
    walk.bench.run_s(1);
    if (const auto owner = walk.bench.player(0).worker()) owners.insert(*owner);
  }
  const Tick to = walk.now() - 60;
  EXPECT_EQ(owners.size(), 2U) << "the walkers cross the border";
  expect_all_heard_once(walk, [&](Tick tick) { return before(from, tick) && before(tick, to); });
}

// The standby continues some ticks before the death, and runs these ticks again: no cue is heard
// twice. Cues of the time without a worker may be lost.
TEST(Footsteps, AreHeardOnceThoughTheirWorkerDies) {
  Walk walk(6);
  walk.bench.run_s(12);
  const Tick from = walk.now();
  walk.bench.run_s(14);
  const auto victim = walk.bench.player(0).worker();
  ASSERT_TRUE(victim);
  const Tick died = walk.now();
  walk.bench.cluster().kill_worker(*victim);
  walk.bench.run_s(40);
  EXPECT_NE(walk.bench.player(0).worker(), victim);
  const Tick to = walk.now() - 60;
  expect_all_heard_once(walk, [&](Tick tick) {
    const bool gap = before(died - 30, tick) && before(tick, died + 180);
    return before(from, tick) && before(tick, to) && !gap;
  });
}

// A walker costs each observer this much.
TEST(Footsteps, CostFewBytes) {
  Walk walk(7);
  walk.bench.run_s(40);
  double bytes = 0, footsteps = 0;
  for (std::size_t i = 0; i < walk.bench.cluster().workers(); ++i) {
    const auto& counters = walk.bench.cluster().worker(i).publisher().counters();
    bytes += static_cast<double>(counters.bytes_cues);
    footsteps += static_cast<double>(counters.cues.sent);
    EXPECT_EQ(counters.cues.crowded_out, 0U);
  }
  EXPECT_GT(footsteps, 500);
  const double bytes_per_s = bytes / footsteps * default_tick_rate_hz / step_ticks;
  std::printf("a walker with 2 footsteps a second: %.1f B/s for each observer\n", bytes_per_s);
  EXPECT_GT(bytes_per_s, 2 * 6);
  EXPECT_LT(bytes_per_s, 40);
}

}  // namespace
