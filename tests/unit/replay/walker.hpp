/// One actor on a floor next to a wall, step by step, for tests of replays.
#pragma once

#include "perigee/replay/counterfactual.hpp"
#include "perigee/world/game.hpp"

namespace perigee::replay {

/// A game without rules: actors only move.
class PlainGame final : public world::GameModule {
 public:
  std::string_view name() const override { return "plain"; }
  std::uint64_t schema_hash() const override { return 1; }
  std::span<const world::EntityType> types() const override { return {}; }
  const world::ParentingParams& parenting() const override { return parenting_; }
  void populate(world::World&, const world::Bounds&, std::uint32_t) const override {}
  void drive(world::World&, Tick) const override {}
  world::ActorSpawn spawn_state(const world::World&, const world::Bounds&,
                                std::uint32_t) const override {
    return {};
  }
  world::UseOutcome accept_use(const world::World&, const world::UseAttempt&) const override {
    return {};
  }
  const InputLayout& input_layout() const override { return inputs; }
  InputLayout inputs;

 private:
  world::ParentingParams parenting_;
};

inline constexpr Handle deck = 5;
inline constexpr Handle wall = 6;
inline constexpr Handle ground = 7;

struct Walker {
  PlainGame game;
  world::ActorParams params;
  world::ShapePtr deck_shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {50, 0.5, 50}}});
  world::ShapePtr wall_shape = world::make_shape({{.half = {0.2, 2, 20}}});
  world::ShapePtr ground_shape = world::make_voxel_shape(
      world::make_voxel_plan({32, 8, 32}, 1, [](const world::Cell& cell) { return cell.y < 6; }));
  Pose ground_at{{-16, -7, -16}, {}};  // seven cells down: its surface is below the deck

  static world::Neighbour solid(Handle id, world::TypeId type, const world::Shape& shape,
                                const Pose& at) {
    world::Neighbour out = make_neighbour(id, world::NeighbourKind::Solid, shape, at, at);
    out.type = type;
    return out;
  }
  /// One tick's surroundings, walking towards +x.
  world::StepRecord tick(std::uint32_t count) const {
    world::StepRecord out{.tick = Tick{count}, .parent = deck};
    out.frame.gravity = world::unbounded_gravity({0, -9.81, 0});
    out.input.tick = out.tick;
    out.input.forward = 127;
    out.input.yaw = 16384;
    insert_by_id(out.neighbours, solid(deck, 0, *deck_shape, {}));
    return out;
  }
  void add_wall(world::StepRecord& record, double x_m) const {
    const Pose at{{x_m, 1, 0}, {}};
    insert_by_id(record.neighbours, solid(wall, 1, *wall_shape, at));
  }
  /// Adds ground with a step up, one cell high, from x_m on.
  void add_ground(world::StepRecord& record, double x_m) const {
    insert_by_id(record.neighbours, solid(ground, 2, *ground_shape, ground_at));
    world::VoxelPatch patch(ground_shape->voxels());
    for (std::int32_t x = 0; x < 32; ++x) {
      if (ground_at.position.x + x < x_m) continue;
      for (std::int32_t z = 0; z < 32; ++z) {
        const std::uint32_t cell = patch.plan().index_of({x, 7, z});
        patch.add({Tick{1}, cell, 0, cell, true});
      }
    }
    ActorState here{.position = {0.05 * (record.tick.count % 100), params.height_m / 2, 0}};
    world::cut_out(params, here, record,
                   [&](Handle, const world::Bounds& around, Tick tick, world::VoxelCutout& out) {
                     patch.cut(around, tick, {}, out);
                     return true;
                   });
  }
  /// Runs all ticks from the start position.
  void play(Chain& chain) const {
    ActorState state{.position = {0, params.height_m / 2 + 0.01, 0}};
    world::GameState game_state;
    for (world::StepRecord& record : chain) {
      state = world::play_tick(game, params, record, state, game_state);
      game_state = record.game_after;
    }
  }
  Chain ticks(std::uint32_t count) const {
    Chain out;
    for (std::uint32_t i = 0; i < count; ++i) out.push_back(tick(100 + i));
    return out;
  }
};

}  // namespace perigee::replay
