/// Notes actors that a game has probably lost: those that drift where nothing pulls them, and those
/// that leave the world. Nothing else happens to them.
#pragma once

#include "perigee/worker/players/player.hpp"
#include "perigee/worker/tick/checked_game.hpp"

namespace perigee::worker {

class StrayActors {
 public:
  /// An actor in the air without gravity is noted after this long.
  static constexpr std::int32_t adrift_ticks_max = 300;
  /// Interval at which an actor's place is looked up in the map.
  static constexpr std::uint32_t outside_ticks = 64;

  struct Needs {
    world::World& world;
    const CheckedGame& checked_game;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit StrayActors(Needs needs);

  /// Once a tick, after the player's step. Each way out of gravity or of the world is noted once.
  void after_step(Player& player);

 private:
  bool is_adrift(const Player& player) const;
  void note(world::GameValue value, const Player& player) const;

  Needs needs_;
  bool has_gravity_;  ///< without any gravity, actors drift on purpose
};

}  // namespace perigee::worker
