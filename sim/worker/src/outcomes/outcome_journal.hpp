/// Outcomes on their way into the journal. Order: standby, journal, players. (R5)
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"

namespace perigee::worker {

/// Outcomes as the standby replicates them.
class OutcomeReplication {
 public:
  virtual ~OutcomeReplication() = default;

  virtual void wrote(const OutcomeRow& row) = 0;
  virtual void stored(std::uint64_t number) = 0;
  /// Outcomes up to this number survive this worker.
  virtual std::uint64_t durable_outcomes() const = 0;
  /// The standby is lost and may have been promoted without this outcome: reporting it to players
  /// could be contradicted.
  virtual bool may_be_contradicted(std::uint64_t outcome) const = 0;
};

class OutcomeJournal {
 public:
  /// An outcome waits this long for the journal. Then it is sent to its players anyway, unless a
  /// promoted standby may contradict it.
  static constexpr std::int32_t wait_ticks_max = 300;
  /// While more than this wait, new ones are sent to players at once.
  static constexpr std::size_t waiting_max = 4096;
  static constexpr std::uint32_t ordinal_max = 255;  ///< the key has one byte for it

  struct Needs {
    const PlayerTable& players;
    ObserverTable& observers;
    OutcomeReplication& replication;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
    /// The mailbox message that is being processed.
    std::function<const MessageId&()> reading;
  };
  explicit OutcomeJournal(Needs needs) : needs_(std::move(needs)) {}

  /// Commits an outcome: it is sent to players once it is in the journal, or now if there is none.
  void write(const world::JournalEntry& entry);
  void on_stored(std::uint64_t number, Journalled became);
  /// An outcome of a dead worker, under the key that it has.
  void write_again(const OutcomeRow& row);
  /// More outcomes may be durable at the standby by now: sends these on.
  void go_on();
  void after_tick();
  /// Visits outcomes in order of number.
  void for_each_waiting(const std::function<void(const OutcomeRow&)>& visit) const;
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct Waiting {
    OutcomeRow row;
    Tick since;
    SessionId actor = 0, target = 0;  ///< their sessions when it was committed
    bool sent = false;
  };
  Waiting named(const world::JournalEntry& entry) const;
  /// The first of the waiting ones with a larger number.
  std::deque<Waiting>::iterator after(std::uint64_t number);
  void add(Waiting outcome);
  void drop(const Waiting& outcome);
  void send(const Waiting& outcome);
  void send_to_player(Handle avatar, SessionId session, const OutcomeEvent& event);

  Needs needs_;
  std::deque<Waiting> waiting_;      ///< by number
  std::vector<OutcomeRow> of_tick_;  ///< committed in this tick
  std::uint64_t written_ = 0;
  std::uint64_t sent_ = 0;  ///< up to this number: sent to the store
  std::uint64_t late_ = 0;  ///< up to this number: timed out
};

}  // namespace perigee::worker
