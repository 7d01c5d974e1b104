/// One actor on a floor beside a wall, step by step, for tests of what is replayed.
#pragma once

#include "perigee/replay/counterfactual.hpp"
#include "perigee/world/game.hpp"

namespace perigee::replay {

/// Actors are their motion alone, and nothing else happens.
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

 private:
  world::ParentingParams parenting_;
};

inline constexpr Handle deck = 5;
inline constexpr Handle wall = 6;

struct Walker {
  PlainGame game;
  world::ActorParams params;
  world::ShapePtr deck_shape = world::make_shape({{.center = {0, -0.5, 0}, .half = {50, 0.5, 50}}});
  world::ShapePtr wall_shape = world::make_shape({{.half = {0.2, 2, 20}}});

  /// The tick's surroundings, walking towards +x.
  world::StepRecord tick(std::uint32_t count) const {
    world::StepRecord out{.tick = Tick{count}, .parent = deck};
    out.frame.gravity = world::unbounded_gravity({0, -9.81, 0});
    out.input.tick = out.tick;
    out.input.forward = 127;
    out.input.yaw = 16384;
    insert_by_id(out.neighbours,
                 make_neighbour(deck, world::NeighbourKind::Solid, *deck_shape, {}, {}));
    return out;
  }
  void add_wall(world::StepRecord& record, double x_m) const {
    const Pose at{{x_m, 1, 0}, {}};
    insert_by_id(record.neighbours,
                 make_neighbour(wall, world::NeighbourKind::Solid, *wall_shape, at, at));
  }
  /// Runs all ticks, from where it stands.
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
