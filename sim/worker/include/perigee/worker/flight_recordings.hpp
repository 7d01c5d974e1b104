/// The server's half of flight recordings: each player's ticks as they became final, and the
/// mispredictions that are worth a recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "perigee/base/ring.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

/// A client's claim that is far from the final state: a misprediction.
struct Misprediction {
  std::uint64_t client_id = 0;
  Tick tick;
  double meters = 0;
};
using Mispredictions = FixedVector<Misprediction, 16>;

class FlightRecordings {
 public:
  struct Needs {
    const world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit FlightRecordings(Needs needs) : needs_(needs) {}

  /// Records the player's ticks that have become final. Only with a recorder.
  void record(Player& player);
  void note(const Player& player, Tick tick, double meters);
  /// Notes a misprediction for every player, as many as fit.
  void note_all();
  Mispredictions take() { return std::exchange(mispredictions_, {}); }
  /// None: there is no recorder, or the player is not here. `build` names the program.
  std::optional<replay::Recording> recording(const Misprediction& of, std::string_view build) const;

 private:
  Needs needs_;
  Mispredictions mispredictions_;
};

}  // namespace perigee::worker
