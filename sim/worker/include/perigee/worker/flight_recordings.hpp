/// The server's half of flight recordings: each player's ticks as they became final, and the
/// mispredictions that are worth a recording.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "perigee/base/ring.hpp"
#include "perigee/replay/recording.hpp"
#include "perigee/worker/armed_recorders.hpp"
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
    const Tick& next;         ///< the tick that is simulated next
    std::uint32_t recorders;  ///< for arm()
  };
  explicit FlightRecordings(Needs needs)
      : needs_(needs), armed_(needs.recorders, needs.game.types()) {}

  /// Records the player's ticks that have become final. Only with a recorder.
  void record(Player& player);
  /// After the last record() of a tick.
  void end_tick() { armed_.end_tick(needs_.players, needs_.next); }
  void note(const Player& player, Tick tick, double meters);
  /// Notes a misprediction for every player, as many as fit.
  void note_all();
  Mispredictions take() { return std::exchange(mispredictions_, {}); }
  /// None: there is no recorder, or the player is not here. `build` names the program.
  std::optional<replay::Recording> recording(const Misprediction& of, std::string_view build) const;

  enum class Arming : std::uint8_t { Armed, NoPlayer, AllInUse, last = AllInUse };
  Arming arm(std::uint64_t client_id, std::int32_t for_ticks);
  bool disarm(std::uint64_t client_id) { return armed_.disarm(client_id); }
  const ArmedRecorders& armed() const { return armed_; }
  Tick next() const { return needs_.next; }
  /// Copies an armed recorder, and returns what its recording begins with. None: it is not in use,
  /// or has no tick yet. The copy takes 0.1 ms.
  std::optional<replay::FlightHeader> copy(std::uint64_t client_id, std::string_view build,
                                           replay::FlightRecorder& to) const;
  /// Those of the handles that are in the world.
  std::vector<replay::Recording::Thing> things(std::span<const Handle> handles) const;

 private:
  std::optional<replay::Recording::Thing> thing(Handle handle) const;

  Needs needs_;
  Mispredictions mispredictions_;
  ArmedRecorders armed_;
};

}  // namespace perigee::worker
