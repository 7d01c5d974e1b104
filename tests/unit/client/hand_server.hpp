/// A worker for one player, made by hand from the world's own functions: the reference with which
/// prediction has to agree, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <map>

#include "perigee/base/hash.hpp"
#include "perigee/client/prediction.hpp"
#include "unit/worker/yard.hpp"

namespace perigee::client {

struct HandServer {
  static constexpr Tick start{5000};
  test::Yard game;
  world::World world{{.types = game.types(), .start = start}};
  static constexpr world::EntityId identity = world::make_entity_id(9, Tick{}, 0);
  FixedVector<world::GameEvent, world::events_max> events;  ///< delivered in the next tick
  Handle deck = no_entity, door = no_entity, barge = no_entity, avatar = no_entity;
  Handle parent = no_entity;
  ActorState state;
  world::GameState game_state;
  std::optional<std::pair<Tick, Handle>> coming_switch;
  bool refuses_edits = false;
  std::vector<VoxelEvent> edits;  ///< by the player and by dig(), for the client to receive
  struct Final {
    Handle parent = no_entity;  ///< of the step that led there
    ActorState state;
    world::GameState game;
  };
  std::map<std::uint32_t, Final> finals;  ///< by tick: the state at its start

  explicit HandServer(const test::YardOptions& options = {}) : game(options) {
    game.populate(world, {{-1e6, -1e6, -1e6}, {1e6, 1e6, 1e6}}, 1);
    deck = test::Yard::handle_of(world, test::deck_row);
    door = test::Yard::handle_of(world, test::door_row);
    barge = test::Yard::handle_of(world, test::barge_row);
    const world::ActorSpawn spawn = game.spawn_state(world, {}, 0);
    parent = spawn.parent;
    state = spawn.state;
    game_state = game.state_codec().initial;
    avatar = world.spawn(
        {.id = identity, .type = spawn.type, .parent = parent, .local = {state.position, {}}});
    finals[start.count] = {parent, state, game_state};
  }
  const world::ActorParams& params() const { return game.types()[test::person_row].actor; }
  Tick now() const { return world.now(); }

  void tick(const PlayerInput& input) {
    const Tick t = now();
    game.drive(world, t);
    world.step_bodies(t);
    world::StepRecord record{.tick = t, .actor = identity.bits};
    record.events = std::exchange(events, {});
    if (coming_switch && coming_switch->first == t) {
      record.switched_from = world.motion(parent, t);
      parent = coming_switch->second;
    }
    record.parent = parent;
    record.parent_motion = *world.motion(parent, t);
    record.frame = *world.frame(parent, t);
    record.input = input;
    const ActorState local =
        record.switched_from ? world::re_express(state, *record.switched_from, record.parent_motion)
                             : state;
    world.gather_neighbours(parent, world::reach_of(params(), local), t, avatar, record.neighbours);
    world::cut_out(params(), local, record,
                   [this](Handle patch, const world::Bounds& bounds, Tick at, auto& out) {
                     return world.cut_cells(patch, bounds, at, out);
                   });
    state = world::play_tick(game, params(), record, state, game_state);
    game_state = record.game_after;
    for (const world::Proposal& wish : record.wishes.proposals) {
      if (!wish.edit || wish.edit->patch == no_entity || refuses_edits) continue;
      dig(wish.edit->patch, {t, avatar, wish.index, wish.edit->cell, wish.edit->solid});
    }
    world.set_actor(avatar, parent, state, t + 1);
    finals[t.count + 1] = {parent, state, game_state};
  }
  void dig(Handle ground, const world::VoxelEdit& edit) {
    world::VoxelPatch& patch = *world.voxels(ground);
    ASSERT_TRUE(patch.add(edit));
    const std::uint16_t chunk = patch.plan().chunk_of(patch.plan().cell_of(edit.cell));
    edits.push_back({ground, edit.cell, patch.version(chunk), edit.tick, edit.actor, edit.index,
                     edit.solid, false});
  }
  /// The own section of a block at `final_tick`; the parent's motion is of that tick.
  OwnSection own(Tick final_tick) const {
    OwnSection out;
    out.avatar = avatar;
    out.final_tick = final_tick;
    out.final_parent = finals.at(final_tick.count).parent;
    out.final_state = finals.at(final_tick.count).state;
    const world::GameStateCodec& codec = game.state_codec();
    out.final_game =
        codec.write(finals.at(final_tick.count).game, codec.initial, world::SeenBy::Owner);
    if (barge != no_entity) {
      out.near.push_back(barge);
      out.parents.push_back({barge, final_tick, *world.motion(barge, final_tick)});
    }
    return out;
  }
  std::vector<SpawnEvent> spawns() const {
    std::vector<SpawnEvent> out;
    for (const Handle handle : world.in_order()) {
      const world::Entity& entity = *world.find(handle);
      SpawnEvent event{handle, entity.id.bits, entity.type, entity.respawns};
      event.parent = entity.parent;
      event.pose = entity.local;
      out.push_back(event);
    }
    return out;
  }
};

/// Server and prediction in step, the prediction `ahead_ticks` in front.
struct Flight {
  HandServer server;
  EntityStore store{server.game.types()};
  Prediction prediction{store, server.game};
  int ahead_ticks = 10;
  std::map<std::uint32_t, PlayerInput> inputs;
  std::vector<Correction> corrections;
  ViewPoint view{HandServer::start, 0};
  double largest_error_m = 0;

  explicit Flight(const test::YardOptions& options = {}) : server(options) {
    for (const SpawnEvent& spawn : server.spawns()) store.spawn(spawn, 1);
    receive(server.own(HandServer::start));
    for (int i = 0; i < ahead_ticks; ++i) predict({});
  }
  std::optional<Correction> receive(const OwnSection& own) {
    for (const ParentMotion& motion : own.parents) {
      store.parent_motions().store(motion, own.final_tick);
    }
    const auto correction = prediction.on_own(own, view);
    if (correction) corrections.push_back(*correction);
    largest_error_m = std::max(largest_error_m, prediction.last_error_m());
    return correction;
  }
  bool predict(PlayerInput input) {
    input.tick = prediction.next();
    inputs[input.tick.count] = input;
    view.ticks = ticks_between(view.origin, server.now());
    return prediction.step(input, view);
  }
  void serve() { server.tick(inputs.at(server.now().count)); }
  /// One tick on both sides; the client receives the server's newest state.
  void tick(const PlayerInput& input = {}) {
    predict(input);
    serve();
    receive(server.own(server.now()));
  }
  void expect_agreement() const {
    for (Tick t = server.now() - 20; before(t, server.now()); ++t) {
      const world::StepRecord* record = prediction.record(t);
      if (record == nullptr) continue;
      const auto& final = server.finals.at(t.count + 1);
      EXPECT_EQ(record->parent, final.parent);
      EXPECT_EQ(record->after, final.state) << "after tick " << t.count;
      EXPECT_EQ(record->game_after, final.game) << "after tick " << t.count;
    }
  }
};

}  // namespace perigee::client
