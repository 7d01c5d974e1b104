/// The own-avatar section of a player's blocks.
#pragma once

#include <functional>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/players/vehicle_control.hpp"
#include "perigee/worker/snapshots/announced_motions.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class OwnState {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    const VehicleControl& vehicles;
    const ClusterMap& map;
    const Tick& next;  ///< the tick that is simulated next
    /// The newest input that no crash of one worker can take back. None: not yet.
    std::function<std::optional<AppliedInput>(const Player&)> durable_input;
  };
  explicit OwnState(Needs needs) : needs_(std::move(needs)) {}

  /// `arrivals`: of the player's observer. The section is then to be sent.
  void fill(Player& player, const replication::SentTracks& arrivals, OwnSection& own);
  /// Once a tick.
  void settle();

 private:
  void list_near(const Player& player, OwnSection& own);
  void tell_motion(Player& player, const replication::SentTracks& arrivals, OwnSection& own,
                   Handle handle);
  GameBytes game_bytes(const world::GameState& state) const;

  Needs needs_;
  AnnouncedMotions announced_;
  std::vector<Handle> found_;  ///< around one player
};

}  // namespace perigee::worker
