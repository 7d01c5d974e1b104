// A game with input fields of its own: a trigger that limits the speed, a weapon slot that changes
// a state, and an emote. Clients predict all three, so they cost no correction, across a border
// between workers and when a worker dies.
#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "perigee/world/think_context.hpp"

namespace perigee::lab {
namespace {

struct RacerControls {
  std::uint8_t throttle = 255;
  std::uint8_t slot = 1;
  std::uint8_t emote = 0;

  static void fields(auto&& field, auto& controls) {
    field(controls.throttle, "throttle");
    field(controls.slot, "slot", {.low = 1, .high = 5, .missing = WhenMissing::Kept});
    field(controls.emote, "emote", {.high = 6, .missing = WhenMissing::Momentary});
  }
};

struct Racer {
  std::uint16_t emotes = 0;
  std::uint16_t slow_ticks = 0;
  std::uint8_t slot = 1;
  std::uint8_t changes = 0;  ///< of the slot
  static void fields(auto&& field, auto& racer) {
    using world::SeenBy;
    field(racer.emotes, SeenBy::Everybody);
    field(racer.slow_ticks, SeenBy::Owner);
    field(racer.slot, SeenBy::Everybody);
    field(racer.changes, SeenBy::Owner);
  }
};

/// Two floors that meet at x = 0.
class RaceCourse final : public world::GameModule {
 public:
  enum Row : world::TypeId { floor_row, racer_row };
  static constexpr double half_m = 50;
  static constexpr std::uint16_t horn = 1 << 12;  ///< a button beyond the first eight

  float hop_m_s = 0;  ///< at each change of the slot
  std::function<void(world::ThinkContext&)> on_think;

  RaceCourse() : types_(2) {
    types_[floor_row] = {
        .id = floor_row,
        .name = "floor",
        .shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {half_m, 0.5, half_m}}}),
        .size = world::SizeClass::Large,
        .parent_eligible = true,
        .gravity = {{0, -9.81, 0}, {{-half_m, -5, -half_m}, {half_m, 30, half_m}}}};
    types_[racer_row] = {.id = racer_row,
                         .name = "racer",
                         .kind = world::EntityKind::Actor,
                         .shape = world::actor_shape({})};
  }
  std::string_view name() const override { return "race"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return types_; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  const world::GameStateCodec& state_codec() const override { return codec_; }
  const InputLayout& input_layout() const override { return inputs_; }
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
    }
  }
  void drive(world::World&, Tick) const override {}
  void think(world::ThinkContext& context) const override {
    if (on_think) on_think(context);
  }
  world::ActorSpawn spawn_state(const world::World& world, const world::Bounds& region,
                                std::uint32_t ordinal) const override {
    world::ActorSpawn out{.type = racer_row};
    const double side = region.contains({-half_m, 0, 0}) ? -1 : 1;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.type == floor_row && entity.local.position.x * side > 0) out.parent = handle;
    }
    out.state.position = {-side * 40, 0.91, 6.0 * ordinal - 20 + (side > 0 ? 3 : 0)};
    return out;
  }
  void step(world::ActorContext& context, world::GameState& state) const override {
    const auto controls = context.own_input<RacerControls>();
    auto& racer = state.as<Racer>();
    context.limit_speed(controls.throttle / 255.0);
    if (controls.throttle < 128) ++racer.slow_ticks;
    if (controls.slot != racer.slot) {
      ++racer.changes;
      context.impulse({0, hop_m_s, 0});
    }
    racer.slot = controls.slot;
    if (controls.emote == 0) return;
    ++racer.emotes;
    context.cue(context.wants(horn) ? controls.emote : 7);
  }

 private:
  std::vector<world::EntityType> types_;
  world::ParentingParams parenting_;
  world::GameStateCodec codec_ = world::codec_of<Racer>();
  InputLayout inputs_ = input_layout_of<RacerControls>();
};

/// Runs back and forth along its lane. With own fields it squeezes the trigger more and less,
/// changes the slot every second or two, and emotes for one tick after another 50 ticks. At the end
/// it keeps to one slot.
class RacingPilot final : public client::InputSampler {
 public:
  struct Orders {
    bool own = true;
    bool emotes_now = false, over = false;
    std::uint32_t emotes = 0;  ///< of all pilots
  };
  static constexpr std::uint8_t last_slot = 4;
  RacingPilot(const client::Client& client, Orders& orders) : client_(client), orders_(orders) {}
  PlayerInput sample(Tick tick) override {
    const client::Prediction& prediction = client_.prediction();
    const auto parent = client_.entities().motion_at(prediction.parent(), tick);
    if (!parent) return {.tick = tick};
    const double x = transform(parent->pose, prediction.state().position).x;
    if (x > 42) back_ = true;
    if (x < -42) back_ = false;
    PlayerInput input{.tick = tick, .forward = 127, .held = button_run};
    input.yaw = back_ ? 49152 : 16384;
    if (!orders_.own) return input;
    RacerControls controls;
    const std::uint64_t mood = mix64(prediction.avatar(), std::uint64_t{tick.count / 90});
    controls.throttle = static_cast<std::uint8_t>(255 - tick.count % 150);
    controls.slot = orders_.over ? last_slot : static_cast<std::uint8_t>(1 + mood % 5);
    if (tick.count % 50 == 0 && orders_.emotes_now) {
      controls.emote = static_cast<std::uint8_t>(1 + mood % 6);
      input.held |= RaceCourse::horn;
      ++orders_.emotes;
    }
    input.own.set(controls);
    return input;
  }

 private:
  const client::Client& client_;
  Orders& orders_;
  bool back_ = false;
};

struct RacePlan {
  bool own = true;
  bool one_dies = false;
  std::string_view profile = "P2";
};

struct Race {
  std::uint64_t corrections = 0;
  std::size_t changes_of_worker = 0;
  std::uint32_t slow_ticks = 0, slots_least = ~0U;
  std::uint32_t emotes = 0, emotes_on_workers = 0, emotes_made = 0, cues_wrong = 0;
  int players = 0, on_workers = 0, other_slots = 0;
  double up_bytes_per_s = 0;
};

/// Bytes of the player's datagrams in a second, over its last 12.8 s.
double sent_bytes_per_s(const VirtualPlayer& player) {
  const client::NetGraph& graph = player.client->telemetry().net_graph();
  double bytes = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) bytes += graph[i].bytes_sent;
  return bytes / (0.05 * static_cast<double>(graph.size()));
}

Race run_race(const RacePlan& plan, std::uint64_t seed) {
  const RaceCourse game;
  ClusterOptions options;
  options.link = *find_link_profile(plan.profile);
  options.players = 6;
  options.workers = 2;
  options.standbys = true;
  options.seed = seed;
  Race out;
  RacingPilot::Orders orders{.own = plan.own};
  VirtualCluster cluster(options, game, [&](const client::Client& client, std::uint64_t) {
    return std::make_unique<RacingPilot>(client, orders);
  });
  cluster.run_for(8'000'000);
  orders.emotes_now = true;
  cluster.restart_figures();
  std::map<std::uint64_t, const worker::Core*> at;
  cluster.before_tick = [&](worker::Core& core) {
    core.for_each_player([&](const worker::Player& player) {
      out.changes_of_worker += at[player.client_id] != &core;
      at[player.client_id] = &core;
    });
  };
  cluster.after_frame = [&](VirtualPlayer& player) {
    for (const client::CueNews& cue : player.client->cues()) out.cues_wrong += cue.effect > 6;
  };
  cluster.run_for(60'000'000);
  if (plan.one_dies) cluster.kill_worker(0);
  cluster.run_for(60'000'000);
  orders.over = true;
  orders.emotes_now = false;
  cluster.run_for(2'000'000);
  out.corrections = cluster.figures().corrections;
  out.emotes_made = orders.emotes;
  for (const VirtualPlayer& player : cluster.players()) {
    const auto racer = player.client->prediction().game_state().as<Racer>();
    ++out.players;
    out.up_bytes_per_s += sent_bytes_per_s(player) / 6;
    out.emotes += racer.emotes;
    out.slow_ticks += racer.slow_ticks;
    out.slots_least = std::min(out.slots_least, std::uint32_t{racer.changes});
    out.other_slots += racer.slot != RacingPilot::last_slot;
    for (const VirtualPlayer& other : cluster.players()) {
      const auto seen = player.client->game_state(other.client->prediction().avatar());
      out.other_slots += !seen || seen->as<Racer>().slot != RacingPilot::last_slot;
    }
    for (std::size_t w = 0; w < cluster.workers(); ++w) {
      if (!cluster.runs(w)) continue;
      const worker::Player* here = cluster.worker(w).player_of(player.client_id);
      if (here == nullptr) continue;
      ++out.on_workers;
      out.emotes_on_workers += here->game.as<Racer>().emotes;
      out.other_slots += here->game.as<Racer>().slot != RacingPilot::last_slot;
    }
  }
  std::printf(
      "%s%s: %llu corrections, %zu changes of worker, %u of %u emotes, %u changes of slot, "
      "%.0f B/s up\n",
      plan.own ? "own fields" : "without", plan.one_dies ? ", one dies" : "",
      static_cast<unsigned long long>(out.corrections), out.changes_of_worker, out.emotes,
      out.emotes_made, out.slots_least, out.up_bytes_per_s);
  return out;
}

void expect_all_played(const Race& race) {
  EXPECT_EQ(race.players, 6);
  EXPECT_EQ(race.on_workers, 6);
  EXPECT_EQ(race.emotes, race.emotes_made) << "each emote happens once";
  EXPECT_EQ(race.emotes_on_workers, race.emotes_made);
  EXPECT_EQ(race.other_slots, 0);
  EXPECT_EQ(race.cues_wrong, 0U);
  EXPECT_GT(race.slots_least, 20U);
  EXPECT_GT(race.slow_ticks, 3'000U);
}

TEST(OwnInputs, ArePredictedAcrossABorder) {
  const Race race = run_race({}, 1), without = run_race({.own = false}, 1);
  expect_all_played(race);
  EXPECT_GT(race.changes_of_worker, 20U);
  EXPECT_EQ(race.corrections, without.corrections);
}

TEST(OwnInputs, SurviveTheDeathOfAWorker) {
  for (const std::uint64_t seed : {2ULL, 3ULL}) {
    const Race race = run_race({.one_dies = true}, seed);
    expect_all_played(race);
    EXPECT_EQ(race.corrections, run_race({.own = false, .one_dies = true}, seed).corrections);
  }
}

/// Runs on the spot with the same slot from the first tick on.
class ChoosyPilot final : public client::InputSampler {
 public:
  static constexpr std::uint8_t slot = 3;
  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick, .forward = static_cast<std::int8_t>(tick.count / 40 % 2 * 60)};
    input.yaw = static_cast<std::uint16_t>(tick.count * 300);
    input.own.set(RacerControls{.slot = slot});
    return input;
  }
};

// At 300 ms the client creates some 20 inputs for ticks that the worker has run. It assumes what
// the worker has guessed: the default at first, and after a reset the slot as it was. So a change
// of the slot is seen once, and no tick has to be corrected.
TEST(OwnInputs, AreNotChangedByAStart) {
  RaceCourse game;
  game.hop_m_s = 4;
  ClusterOptions options;
  options.link.up.delay_ms = options.link.down.delay_ms = 150;
  options.players = 1;
  options.workers = 1;
  VirtualCluster cluster(options, game, [&](const client::Client&, std::uint64_t) {
    return std::make_unique<ChoosyPilot>();
  });
  const auto racer = [&] {
    return cluster.players()[0].client->prediction().game_state().as<Racer>();
  };
  int shown_max = 0, wrong = 0;
  bool began = false;
  cluster.after_frame = [&](VirtualPlayer& player) {
    if (!player.client->playing()) return;
    shown_max = std::max<int>(shown_max, racer().changes);
    began = began || racer().slot == ChoosyPilot::slot;
    wrong += began && racer().slot != ChoosyPilot::slot;
  };
  cluster.run_for(8'000'000);
  EXPECT_EQ(racer().changes, 1);
  EXPECT_EQ(cluster.figures().corrections, 0U) << "after the start";
  int orders = 0;
  game.on_think = [&](world::ThinkContext& context) {
    if (orders > 0) return;
    context.for_each_actor([&](const world::ThinkActor& actor) {
      orders += context.journal().place(actor.handle, {actor.parent, {-20, 0.91, 5}});
    });
  };
  cluster.run_for(8'000'000);
  EXPECT_EQ(orders, 1);
  EXPECT_EQ(cluster.players()[0].client->prediction().hard_resets(), 1U);
  EXPECT_EQ(racer().changes, 1);
  EXPECT_EQ(cluster.worker(0).player_of(cluster.players()[0].client_id)->game.as<Racer>().changes,
            1);
  EXPECT_EQ(cluster.figures().corrections, 0U) << "after the reset";
  EXPECT_EQ(shown_max, 1);
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace perigee::lab
