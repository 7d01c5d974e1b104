/// Checks the positions that clients claim to have predicted. A client that claims a
/// far-off position, and has seen the final state, starts anew from that.
#pragma once

#include <functional>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player.hpp"
#include "perigee/worker/settings.hpp"

namespace perigee::worker {

class Claims {
 public:
  struct Needs {
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// A client's claim is far from the final state of that tick.
    std::function<void(const Player&, Tick, double meters)> on_misprediction;
  };
  explicit Claims(Needs needs) : needs_(std::move(needs)) {}

  /// Compares each claim once the state of its tick is final: before that, it may be the better
  /// guess.
  void check(Player& player);

 private:
  /// The first far-off claim may be older than the client's own correction: notes the tick, and
  /// drops the known claims. A later one is a hard reset.
  void far_off(Player& player, Tick at);
  void hard_reset(Player& player);

  Needs needs_;
};

}  // namespace perigee::worker
