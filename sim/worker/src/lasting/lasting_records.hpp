/// Profiles and results on their way into the world store. Order: standby, store, gone. A record
/// survives each worker's death from the tick in which the game gave it. (decision 0107)
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "lasting/lasting_codec.hpp"
#include "perigee/base/fabric.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/durability_gate.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/world/game.hpp"

namespace perigee::worker {

class LastingRecords {
 public:
  /// Rows that wait; more are refused.
  static constexpr std::size_t rows_max = 2'048;
  /// Bytes of profiles in one tick; more are refused. All of them go to the standby.
  static constexpr std::size_t bytes_per_tick_max = 1 << 20;
  /// Results in one tick; more are refused.
  static constexpr std::size_t results_per_tick_max = 64;

  struct Needs {
    PlayerTable& players;
    DurabilityGate& durability;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const world::GameModule& game;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit LastingRecords(const Needs& needs) : needs_(needs) {}

  /// See world::Journal.
  std::optional<std::span<const std::byte>> profile(Handle actor) const;
  world::KeepRefusal save(Handle actor, std::span<const std::byte> profile);
  world::KeepRefusal keep(const world::MatchResult& result);

  /// The store has been read. Asks the game if the profile is of another version.
  PlayerProfile read(const std::optional<StoredProfile>& stored) const;
  /// The same, for a player that is here already.
  void set(Player& player, const std::optional<StoredProfile>& stored);
  /// A save is not in the store yet, so what the store has is old.
  bool has_open(std::uint64_t owner) const;
  std::size_t open() const { return open_.size(); }
  /// A session asks for a profile of which another session is here: it should wait for up to
  /// `replaced_ticks`, because that session is about to leave, and may save.
  bool is_replacing(const JoinRecord& join);
  static constexpr std::int32_t replaced_ticks = 300;
  /// The player continues, or begins, on this worker; has left it.
  void enter(const Player& player);
  void forget(const Player& player);
  /// Sends rows that have become durable to the store.
  void after_tick();
  void on_stored(std::uint64_t number, Journalled became);
  /// Of an ended incarnation.
  void take_over(const LastingLogs& logs);
  /// Visits the present state as notes, for a standby that starts to replicate.
  void for_each_note(const std::function<void(const LastingNote&)>& visit) const;

 private:
  struct Open {
    LastingRow row;
    Handle avatar = no_entity;
    std::uint64_t note = 0;
    bool sent = false;
  };
  world::KeepRefusal refuse(world::KeepRefusal refusal);
  Open* unsent_profile(std::uint64_t owner);
  bool waits_for_another(const Open& open) const;
  void note(Open& open);
  void begin_count();
  void add(LastingRow row, Handle avatar);

  Needs needs_;
  std::map<std::uint64_t, Open> open_;            ///< by number
  std::map<std::uint64_t, Tick> replaced_since_;  ///< by client of the newer session
  std::uint64_t newest_ = 0;
  Tick counted_at_;  ///< the tick of the counts below
  std::size_t results_of_tick_ = 0, bytes_of_tick_ = 0;
};

}  // namespace perigee::worker
