/// Gaps in players' inputs. If a player's packets fail to come, its latest ticks run with guesses.
/// The missing inputs may still come when the path carries packets again; until then the steps
/// since the gap began are kept, and late inputs run them again. Only the late player's own motion
/// follows: outcomes and other actors are final after P.
#pragma once

#include <memory>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"

namespace perigee::worker {

class OpenGaps {
 public:
  struct Needs {
    PlayerTable& players;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit OpenGaps(const Needs& needs);

  /// Opens gaps that begin, and closes those that were filled or are too long.
  void after_tick();
  /// Forgets the steps that became final with this tick, once all others have read them.
  void forget_final();
  /// The most steps that were kept at once, of gap_steps_max.
  std::size_t most_steps() const { return pool_->most_used(); }

 private:
  void update(Player& player);
  bool heard(const Player& player) const;
  bool in_time(const Player& player) const;
  Tick give_up_oldest(Player& player) const;
  bool may_open(const Player& player) const;
  void close(Player& player);

  Needs needs_;
  std::shared_ptr<StepPool> pool_;
};

}  // namespace perigee::worker
