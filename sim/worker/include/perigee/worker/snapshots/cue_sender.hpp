/// Cues for others: those of other actors' steps, and those that the game orders. A cue of a step
/// is sent when its tick first runs with the actor's own input, as a launched projectile is: it
/// arrives before others see the actor in that tick. If a late input withdraws the cue, clients
/// that have it still play it. (decision 0113)
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "perigee/replication/publisher.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/worker/tick/checked_game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class CueSender {
 public:
  static constexpr std::size_t orders_max = 256;  ///< of the game's journal, in a tick
  /// Of all actors in a tick; re-simulated ticks may add some.
  static constexpr std::size_t waiting_max = 512;

  struct Needs {
    world::World& world;
    CheckedGame& checked_game;
    ObserverTable& observers;
    replication::Publisher& publisher;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit CueSender(Needs needs) : needs_(needs) {}

  /// The tick ran, for the first time or again, and its proposals were judged. `committed`: its
  /// outcomes had been committed before.
  void on_step(Player& player, const world::StepRecord& record, bool committed = false);
  /// See world::Journal::cue.
  bool order(const world::CueOrder& order);
  /// Hands the tick's cues to their observers. The entities of the tick are published.
  void send();

 private:
  struct Waiting {
    CueEvent cue;
    Vec3 at;                         ///< world
    std::optional<SessionId> cause;  ///< its client has predicted the cue
  };
  void send(Waiting& waiting);
  bool stayed_there(const Waiting& waiting) const;

  Needs needs_;
  std::vector<Waiting> waiting_;
  std::size_t orders_ = 0;  ///< since the last send()
};

}  // namespace perigee::worker
