/// Recorders that operators arm for single players. Their memory is taken at start, so arming one
/// allocates nothing. (decision 0071)
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/replay/flight_recorder.hpp"
#include "perigee/worker/players/player_table.hpp"

namespace perigee::worker {

class ArmedRecorders {
 public:
  static constexpr std::int32_t armed_ticks_max = 3600 * 60;

  /// `count` recorders. The types must outlive this.
  ArmedRecorders(std::uint32_t count, std::span<const world::EntityType> types);

  /// False: all recorders are in use. Arming a player again prolongs its time. The
  /// recorder of a player that has left is reused.
  bool arm(const Player& player, Tick now, std::int32_t for_ticks);
  /// False: no recorder of that client is in use.
  bool disarm(std::uint64_t client_id);
  /// The player's ticks before `final_now`, and the claims of its client about them.
  void record(const Player& player, world::TypeId type, Tick final_now);
  /// Frees recorders at the end of their time, and marks those of players that have left.
  void end_tick(const PlayerTable& players, Tick now);

  struct Slot {
    explicit Slot(std::span<const world::EntityType> types)
        : recorder(types, replay::half_minute) {}
    replay::FlightRecorder recorder;
    bool used = false;
    bool here = false;  ///< the player is this worker's; else the recorder may be reused
    std::uint64_t client_id = 0;
    Tick recorded;  ///< all earlier ticks are in the recorder
    Tick until;
    replay::FlightHeader header;  ///< of the player
  };
  const std::vector<Slot>& slots() const { return slots_; }
  /// Null: there is none.
  const Slot* find(std::uint64_t client_id) const;
  std::uint32_t in_use() const;

 private:
  Slot* find(std::uint64_t client_id);
  Slot* free_slot();

  std::vector<Slot> slots_;
};

/// Copies final ticks of a player into a recorder, from `recorded` on, which it advances.
void record_final(const Player& player, Tick final_now, Tick& recorded,
                  replay::FlightRecorder& recorder);

}  // namespace perigee::worker
