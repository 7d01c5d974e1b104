/// Profiles and results on their way into the world store. Order: standby, store, gone. A record
/// survives each worker's death from the tick in which the game gave it. (decision 0107)
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>

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
  /// Rows that wait, and their bytes; more are refused.
  static constexpr std::size_t rows_max = 2'048, bytes_max = 32 << 20;
  /// Bytes of profiles in one tick; more are refused. All of them go to the standby.
  static constexpr std::size_t bytes_per_tick_max = 1 << 20;
  /// The same with the profiles of players that leave: they cannot save later.
  static constexpr std::size_t last_bytes_per_tick_max = 16 << 20;
  /// Results in one tick; more are refused.
  static constexpr std::size_t results_per_tick_max = 64;
  /// A join waits so long for another session of its account that is in the world: a log-in has
  /// just ended that session, and it may save when it leaves.
  static constexpr std::int32_t replaced_ticks = 60;

  struct Needs {
    PlayerTable& players;
    DurabilityGate& durability;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const world::GameModule& game;
    const Tick& next;  ///< the tick that is simulated next
    /// The session's avatar leaves the world now. The game hears it.
    std::function<void(SessionId)> leave;
  };
  explicit LastingRecords(Needs needs) : needs_(std::move(needs)) {}

  /// See world::Journal. `last`: the player is about to be removed.
  std::optional<std::span<const std::byte>> profile(Handle actor) const;
  world::KeepRefusal save(Handle actor, std::span<const std::byte> profile, bool last);
  world::KeepRefusal keep(const world::MatchResult& result);

  /// The store has answered. Asks the game if the profile is of another version.
  PlayerProfile read(const TakenProfile& taken) const;
  /// The same, for a player that is here already.
  void set(Player& player, const TakenProfile& taken);
  /// A join should wait: a save is on its way, so what the store has is old, or another session of
  /// the account is here. If the log-in has ended the account's other sessions, their avatars whose
  /// clients are gone leave: they would save when the profile is the new session's already.
  bool may_change(const JoinRecord& join);
  /// Rows that are not in the store.
  std::size_t open() const { return open_.size(); }
  /// A save is not in the store yet, so what the store has is old.
  bool has_open(std::uint64_t owner) const { return profiles_.contains(owner); }
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
  world::KeepRefusal fault_of(const Player* player, std::span<const std::byte> profile) const;
  Open* replaceable(const LastingRow& row);
  void note(Open& open);
  void add(LastingRow row, Handle avatar);
  void begin_count();
  void end_others(const JoinRecord& join, std::uint64_t owner);
  bool another_session_of(const JoinRecord& join, std::uint64_t owner) const;

  Needs needs_;
  std::map<std::uint64_t, Open> open_;                         ///< by number
  std::size_t bytes_ = 0;                                      ///< of `open_`
  std::map<std::uint64_t, std::set<std::uint64_t>> profiles_;  ///< numbers in `open_`, by owner
  std::set<std::uint64_t> at_store_;  ///< owners; the store has one profile of each at a time
  std::map<std::uint64_t, Tick> replaced_since_;  ///< by client of the newer session
  std::uint64_t newest_ = 0;
  Tick counted_at_;  ///< the tick of the counts below
  std::size_t results_of_tick_ = 0, bytes_of_tick_ = 0;
};

}  // namespace perigee::worker
