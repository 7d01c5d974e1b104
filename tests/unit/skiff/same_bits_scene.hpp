/// A scene that the example game computes to the same bits with every compiler and on every
/// processor.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/skiff/skiff.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::skiff {

/// Tumbling bodies, hinges, scheduled objects and cells of the game's world, and actors that walk
/// and jump on what moves.
class SameBitsScene {
 public:
  static constexpr std::uint64_t expected_hash = 0x6ea886e614df4fe4;

  /// Plays the scene from its beginning, and returns a hash of all states.
  std::uint64_t play() {
    world::World world({.types = game.types()});
    game.populate(world, whole_world, 7);
    for (std::uint32_t i = 0; i < crates; ++i) throw_crate(world, i);
    std::vector<world::ActorSpawn> players;
    for (std::uint32_t i = 0; i < actors; ++i) {
      players.push_back(game.spawn_state(world, whole_world, i));
    }
    Random random(9);
    StateHash hash;
    for (int i = 0; i < ticks; ++i) {
      const Tick tick = world.now();
      game.drive(world, tick);
      world.step_bodies(tick);
      for (world::ActorSpawn& player : players) hash.add(step(world, player, tick, random));
    }
    return hash.add(world.hash()).value();
  }

 private:
  static constexpr int ticks = 900, actors = 6, crates = 120;

  /// Falls onto a station, spins by up to several turns a second, and hits other crates.
  void throw_crate(world::World& world, std::uint32_t ordinal) const {
    const double i = ordinal;
    const Vec3 above{(ordinal % 5 - 2.0) * 2, 12 + i * 0.6, (ordinal / 5 % 5 - 2.0) * 2};
    world.spawn({.id = world::make_entity_id(9, Tick{1}, ordinal),
                 .type = crate_row,
                 .local = {transform(game.station_pose(Side::Plus), above), yaw_rotation(i)},
                 .velocity = {0.1 * (ordinal % 7), -3, 0.2 * (ordinal % 3)},
                 .angular_velocity = {9.0 - ordinal % 11, 0.3 * i, 5.0 - ordinal % 9}});
  }

  /// Moves an actor by one tick, and returns a hash of its state.
  std::uint64_t step(const world::World& world, world::ActorSpawn& player, Tick tick,
                     Random& random) {
    world::StepRecord record{.tick = tick, .parent = player.parent};
    record.parent_motion = *world.motion(player.parent, tick);
    record.frame = *world.frame(player.parent, tick);
    record.input = {.tick = tick, .forward = 127, .yaw = static_cast<std::uint16_t>(random.next())};
    if (random.below(40) == 0) record.input.samples.push_back({.pressed = button_jump});
    const world::ActorParams& params = game.types()[character_row].actor;
    world.gather_neighbours(player.parent, world::reach_of(params, player.state), tick, no_entity,
                            record.neighbours);
    player.state = world::replay_step(params, record, player.state);
    const ActorState& state = player.state;
    return StateHash()
        .add(state.position.x)
        .add(state.position.y)
        .add(state.position.z)
        .add(state.velocity.x)
        .add(state.velocity.y)
        .add(state.velocity.z)
        .value();
  }

  Skiff game;
};

}  // namespace perigee::skiff
