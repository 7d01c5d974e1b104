/// The own-avatar section of a player's blocks, and the public game state of players.
#pragma once

#include <functional>

#include "perigee/base/cluster_map.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/players/vehicle_control.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class OwnState {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    ObserverTable& observers;
    const VehicleControl& vehicles;
    const ClusterMap& map;
    const Tick& next;  ///< the tick that is simulated next
    /// The newest input that no crash of one worker can take back. None: not yet.
    std::function<std::optional<AppliedInput>(const Player&)> durable_input;
  };
  explicit OwnState(Needs needs) : needs_(std::move(needs)) {}

  void fill(const Player& player, OwnSection& own) const;
  /// Clients that know the actor receive its game state whenever the public part has changed.
  void send_game_states();

 private:
  GameBytes game_bytes(const world::GameState& state, world::SeenBy reader) const;

  Needs needs_;
};

}  // namespace perigee::worker
