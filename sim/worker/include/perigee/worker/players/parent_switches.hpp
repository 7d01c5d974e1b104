/// Changes of a player's parent. The worker chooses the parent, and announces the change for a tick
/// that the client has not predicted yet.
#pragma once

#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class ParentSwitches {
 public:
  struct Needs {
    world::World& world;
    const PlayerTable& players;
    const world::GameModule& game;
    ObserverTable& observers;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit ParentSwitches(Needs needs) : needs_(needs) {}

  void choose(Player& player);
  /// Announces a change. False: the client's event stream has no room, and nothing has changed.
  bool announce(Player& player, const PendingSwitch& change);
  /// Ticks from an announcement to its effect.
  std::int32_t announce_ticks(const Player& player) const;
  /// The longest of all players with a client that may predict an effect at that place.
  std::int32_t announce_ticks_near(const Vec3& place) const;

 private:
  bool moves(Handle handle) const;
  /// Whether the present state follows from guesses that late inputs may still replace.
  bool is_guessed(const Player& player) const;

  Needs needs_;
  world::ParentCandidates candidates_;  ///< of one player: 5 kB, which a new one would clear
};

}  // namespace perigee::worker
