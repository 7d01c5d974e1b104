// A game's server logic: power-ups that players take and that come back, an NPC that walks a circle
// over a border, and balls that a commit throws. Nothing is lost or doubled: with one worker, over
// a border, and when a worker dies in the middle.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <set>

#include "perigee/lab/scenario.hpp"
#include "perigee/lab/virtual_cluster.hpp"
#include "two_floors.hpp"

namespace perigee::lab {
namespace {

/// Of players and NPCs.
struct Gladiator {
  std::uint32_t due = 0;    ///< NPC: the tick of its next throw
  std::uint16_t taken = 0;  ///< power-ups
  std::uint8_t corner = 0;  ///< NPC: the corner of its way that it walks to
  std::uint8_t unused = 0;
  static void fields(auto&& field, auto& gladiator) {
    using world::SeenBy;
    field(gladiator.due, SeenBy::Owner);
    field(gladiator.taken, SeenBy::Everybody);
    field(gladiator.corner, SeenBy::Owner);
    field(gladiator.unused, SeenBy::Owner);
  }
};

/// Two floors that meet at x = 0. Power-ups lie on spots on both sides, and some close to the edge.
class Arena final : public TwoFloors {
 public:
  enum Row : world::TypeId { power_row = rows_of_floors, ball_row };
  enum News : std::uint8_t { take = 1, thrown, at_corner };
  static constexpr std::uint32_t spots = 24;
  static constexpr std::int32_t throw_ticks = 90;
  static constexpr std::int32_t ball_ticks = 240;

  bool open = true;  ///< power-ups can be taken

  Arena() : TwoFloors("arena", world::codec_of<Gladiator>()) {
    add({.id = power_row,
         .name = "power-up",
         .shape = world::make_shape({{.half = {1, 0.5, 1}}}),
         .trigger = true});
    add({.id = ball_row,
         .name = "ball",
         .kind = world::EntityKind::Body,
         .shape = world::make_shape({{.half = {0.3, 0.3, 0.3}}}),
         .mass_kg = 2});
  }
  /// Those of the left side and of the right side run beside each other, over the same spots.
  Vec3 start(bool left, std::uint32_t ordinal) const override {
    return {0, 0.91, (left ? -15.5 : -14.5) + 6.0 * (ordinal % 7)};
  }

  static Vec3 spot(std::uint32_t n) { return {-43 + 7.0 * (n % 13), 0.5, n < 13 ? -15.0 : -9.0}; }

  void after_motion(world::ActorContext& context, world::GameState&) const override {
    for (const world::TriggerContact& trigger : context.triggers()) {
      if (!open || trigger.left || trigger.type != power_row) continue;
      context.propose({.kind = take, .target = trigger.id}, 0);
    }
  }
  void apply_event(const world::GameEvent& event, world::GameState& state) const override {
    auto& gladiator = state.as<Gladiator>();
    if (event.kind == take) ++gladiator.taken;
    if (event.kind == thrown) gladiator.due = static_cast<std::uint32_t>(event.amount);
    if (event.kind == at_corner) gladiator.corner = static_cast<std::uint8_t>(event.amount);
  }
  world::Judgement commit(world::Journal& journal, const world::Outcome& outcome,
                          const world::Judgement& judged) const override {
    if (judged.reason != CancelReason::None) return judged;
    journal.send({outcome.tick, outcome.wish.index, take, outcome.actor, outcome.wish.target});
    return {};
  }
  /// On the worker that has the power-up: the first one gets it.
  void receive(world::Journal& journal, const world::Message& message,
               bool returned) const override {
    if (returned) return;
    if (message.from == message.to) {
      journal.notify(message.to, {.kind = take, .tick = message.tick});
      return;
    }
    if (journal.despawn(message.to) != world::SpawnRefusal::None) return;
    journal.write({message.tick, message.index, take, message.from, message.to});
    journal.send({message.tick, message.index, take, message.from, message.from});
  }
  void think(world::ThinkContext& context) const override {
    grow_power_ups(context);
    std::vector<world::ThinkActor> npcs;
    context.for_each_actor([&](const world::ThinkActor& actor) {
      if (actor.npc) npcs.push_back(actor);
    });
    make_the_walker(context, !npcs.empty());
    for (const world::ThinkActor& npc : npcs) throw_ball(context, npc);
    for (const Handle ball : context.own_of_type(ball_row)) {
      const Tick born = context.world().find(ball)->id.tick();
      if (ticks_between(born, context.tick()) >= ball_ticks) context.journal().despawn(ball);
    }
  }
  /// Runs around a rectangle of 80 x 10 m across the edge.
  PlayerInput drive_npc(const world::NpcView& view) const override {
    const auto at = view.place();
    if (!at) return {};
    const Vec3 to = corner(view.game.as<Gladiator>().corner);
    PlayerInput input{.forward = 127, .held = button_run};
    const Vec3 way = to - *at;
    if (std::abs(way.x) > std::abs(way.z)) {
      input.yaw = way.x > 0 ? 16384 : 49152;
    } else {
      input.yaw = way.z > 0 ? 0 : 32768;
    }
    return input;
  }

 private:
  static Vec3 corner(std::uint8_t n) {
    return {n == 1 || n == 2 ? 40.0 : -40.0, 0, n < 2 ? 20.0 : 30.0};
  }
  /// A spot without a power-up gets one with the next full second; the spot's worker grows it.
  static void grow_power_ups(world::ThinkContext& context) {
    if (context.tick().count % 60 != 0) return;
    std::set<std::uint32_t> full;
    for (const Handle handle : context.world().in_order()) {
      const world::Entity& entity = *context.world().find(handle);
      for (std::uint32_t n = 0; n < spots && entity.type == power_row; ++n) {
        if (distance(entity.local.position, spot(n)) < 1) full.insert(n);
      }
    }
    for (std::uint32_t n = 0; n < spots; ++n) {
      for (const world::Bounds& region : context.regions()) {
        if (full.contains(n) || !region.contains(spot(n))) continue;
        context.journal().spawn({.type = power_row, .at = {spot(n), {}}});
      }
    }
  }
  /// One NPC for ever: made by the owner of the left floor in the first seconds.
  static void make_the_walker(world::ThinkContext& context, bool exists) {
    if (exists || context.tick().count > 600) return;
    for (const Handle floor : context.own_of_type(floor_row)) {
      if (context.world().find(floor)->local.position.x > 0) continue;
      bool anywhere = false;
      for (const Handle handle : context.world().in_order()) {
        anywhere = anywhere || context.world().find(handle)->type == actor_row;
      }
      if (!anywhere) {
        context.journal().spawn_npc({.type = actor_row, .place = {floor, {30, 0.91, 25}, {}}});
      }
    }
  }
  static void throw_ball(world::ThinkContext& context, const world::ThinkActor& npc) {
    const auto& state = npc.game.as<Gladiator>();
    const auto frame = context.world().pose(npc.parent, context.tick());
    if (!frame) return;
    const Vec3 at = transform(*frame, npc.state.position);
    if (distance({at.x, 0, at.z}, corner(state.corner)) < 2) {
      context.journal().notify(
          npc.handle,
          {.kind = at_corner, .tick = context.tick(), .amount = (state.corner + 1) % 4});
    }
    if (before(context.tick(), Tick{state.due})) return;
    context.journal().notify(
        npc.handle, {.kind = thrown,
                     .tick = context.tick(),
                     .amount = static_cast<std::int32_t>((context.tick() + throw_ticks).count)});
    context.journal().spawn(
        {.type = ball_row, .at = {at + Vec3{0, 2, 0}, {}}, .velocity = {0, 4, 3}});
  }
};

struct Games {
  std::uint64_t corrections = 0;
  double minutes = 0;
  std::uint64_t taken = 0;  ///< by the players' states
  std::set<Handle> taken_things;
  std::size_t taken_twice = 0;
  std::size_t npcs_at_the_end = 0, npc_changes_of_worker = 0;
  std::size_t power_ups = 0, balls = 0, balls_seen = 0, npcs_seen = 0;
};

struct GamesPlan {
  std::uint32_t workers = 1;
  bool one_dies = false;
  std::uint64_t seed = 1;
};

void count_entities(const VirtualCluster& cluster, Games& out) {
  for (std::size_t w = 0; w < cluster.workers(); ++w) {
    if (!cluster.runs(w) || !cluster.lives_by_the_map(w) || !cluster.worker(w).ready()) continue;
    const world::World& world = cluster.worker(w).world();
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      if (entity.remote) continue;
      out.power_ups += entity.type == Arena::power_row;
      out.balls += entity.type == Arena::ball_row;
    }
    cluster.worker(w).for_each_player([&](const worker::Player& player) {
      out.npcs_at_the_end += player.npc();
      out.taken += player.game.as<Gladiator>().taken;
    });
  }
}

Games play_games(const GamesPlan& plan) {
  Arena arena;
  ClusterOptions options;
  options.link = *find_link_profile("P2");
  options.players = 6;
  options.workers = plan.workers;
  options.regions = plan.workers > 2 ? 2 : 0;
  options.standbys = true;
  options.seed = plan.seed;
  options.world_store_us = 20'000;
  VirtualCluster cluster(options, arena, [](const client::Client& client, std::uint64_t) {
    return std::make_unique<LaneRunner>(client, 44);
  });
  Games out;
  cluster.after_stored = [&](const world::JournalEntry& entry) {
    if (entry.kind == Arena::take && !out.taken_things.insert(entry.target).second) {
      ++out.taken_twice;
    }
  };
  const worker::Core* npc_at = nullptr;
  cluster.before_tick = [&](worker::Core& core) {
    core.for_each_player([&](const worker::Player& player) {
      if (!player.npc()) return;
      out.npc_changes_of_worker += npc_at != nullptr && npc_at != &core;
      npc_at = &core;
    });
  };
  cluster.run_for(8'000'000);
  cluster.restart_figures();
  cluster.run_for(40'000'000);
  if (plan.one_dies) cluster.kill_worker(0);
  cluster.run_for(60'000'000);
  arena.open = false;
  cluster.run_for(3'000'000);  // all messages and entries arrive
  const PlayerFigures figures = cluster.figures();
  out.corrections = figures.corrections;
  out.minutes = figures.minutes;
  for (const VirtualPlayer& player : cluster.players()) {
    for (const auto& entity : player.client->entities().all()) {
      out.balls_seen += entity->type == Arena::ball_row;
      out.npcs_seen += entity->type == Arena::actor_row;
    }
  }
  count_entities(cluster, out);
  std::printf(
      "%u workers: %.1f minutes, %llu corrections, %llu power-ups taken, %zu in the journal, %zu "
      "twice; %zu NPCs, %zu changes of worker; %zu balls, %zu power-ups\n",
      plan.workers, out.minutes, static_cast<unsigned long long>(out.corrections),
      static_cast<unsigned long long>(out.taken), out.taken_things.size(), out.taken_twice,
      out.npcs_at_the_end, out.npc_changes_of_worker, out.balls, out.power_ups);
  return out;
}

void expect_fair_games(const Games& games) {
  EXPECT_EQ(games.taken_twice, 0U);
  EXPECT_GT(games.taken_things.size(), 100U);
  EXPECT_EQ(games.taken, games.taken_things.size()) << "each one has its taker";
  EXPECT_EQ(games.corrections, 0U);
  EXPECT_EQ(games.npcs_at_the_end, 1U);
  EXPECT_GE(games.balls, 2U);
  EXPECT_LE(games.balls, 4U) << "they are thrown every 1.5 s, and gone after 4 s";
  EXPECT_EQ(games.power_ups, Arena::spots) << "each spot has one again";
  EXPECT_EQ(games.npcs_seen, 6U * 7) << "everybody sees all players and the NPC";
  EXPECT_GE(games.balls_seen, 6U * 2);
}

TEST(AnArena, IsFairWithOneWorker) { expect_fair_games(play_games({})); }

TEST(AnArena, IsFairAcrossABorder) {
  const Games games = play_games({.workers = 2, .seed = 2});
  expect_fair_games(games);
  EXPECT_GT(games.npc_changes_of_worker, 4U);
}

TEST(AnArena, IsFairWhenAWorkerDies) {
  for (const std::uint64_t seed : {3ULL, 4ULL}) {
    const Games games = play_games({.workers = 3, .one_dies = true, .seed = seed});
    expect_fair_games(games);
    EXPECT_GT(games.npc_changes_of_worker, 2U);
  }
}

}  // namespace
}  // namespace perigee::lab
