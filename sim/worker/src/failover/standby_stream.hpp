/// Replicates this worker's state to its standby. Each worker replicates all of its state to one
/// other worker. That worker takes the state over when the sender's incarnation ends. All
/// neighbours receive entities near a border as ghosts. The standby receives every entity that way.
/// This stream adds the state that only the owner knows: players, logs, outcomes. (decision 0033)
///
/// When the standby has acknowledged tick n, everything logged and decided up to n is durable.
/// Without a standby, everything is durable at once. Only the map decides whether the standby
/// counts (rule R4).
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "failover/replica_codec.hpp"
#include "failover/replica_frames.hpp"
#include "lasting/lasting_codec.hpp"
#include "messages/message_codec.hpp"
#include "migration/migrations.hpp"
#include "outcomes/mailbox_codec.hpp"
#include "outcomes/outcome_journal.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/migration/standby.hpp"
#include "perigee/worker/durability/durability_gate.hpp"

namespace perigee::worker {

class StandbyStream final : public DurabilityGate,
                            public MigrationReplication,
                            public OutcomeReplication {
 public:
  using Entry = Migrations::Entry;
  using Region = Migrations::Region;
  using Effects = migration::Effects<MigrationTraits>;

  /// Without an acknowledgement for this long the standby is dropped, and replication starts over.
  static constexpr std::int32_t unanswered_ticks_max = 60;
  /// For this long after its start, a new incarnation refuses groups until its standby has a
  /// complete replica. Less: groups sent to a new worker are lost with it; more: a worker with an
  /// unreachable standby waits longer for its share.
  static constexpr std::int32_t new_ticks = 300;
  /// If more replication data than this is queued, this worker drops the standby and acts alone for
  /// a while.
  static constexpr std::size_t unsent_bytes_max = 256 << 20;
  static constexpr std::int32_t unsent_rest_ticks = 600;

  struct Needs {
    const world::World& world;
    const world::GameModule& game;
    const PlayerTable& players;
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    std::size_t frame_bytes = 0;  ///< bytes of a message of the stream, about
    const Tick& next;             ///< the tick that is simulated next
    /// The newest tick with committed outcomes.
    std::function<Tick()> settled;
    /// Visits the state to be replicated: logs of migrations, outcomes on their way into the
    /// journal, the mailbox, messages of players, and records on their way into the store.
    std::function<void(const std::function<void(Region&, Effects&)>&)> each_log;
    std::function<void(const std::function<void(const OutcomeRow&)>&)> for_each_waiting;
    std::function<void(const std::function<void(const MailboxEntry&)>&)> for_each_note;
    std::function<void(const std::function<void(const MessageNote&)>&)> for_each_message_note;
    std::function<void(const std::function<void(const LastingNote&)>&)> for_each_lasting_note;
    /// More outcomes may be durable by now.
    std::function<void()> outcomes_go_on;
    /// There is state that cannot be replicated yet.
    std::function<bool()> has_unreplicated;
  };
  explicit StandbyStream(Needs needs);

  void on_map();
  /// The world is at the start of the next tick, and the ghosts of that tick have been sent.
  void after_tick();
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes);
  /// The standby does not have what is about to change here: replication starts over.
  void lose();
  bool sends() const { return sending_.has_value(); }
  /// State that could not be replicated before can be replicated from now on. The standby is
  /// complete when it has that state.
  void fill_again();

  // Our own state, as replicated to the standby.
  void log(HandleBlock incarnation, const Entry& entry) override;
  void left(HandleBlock incarnation, migration::GroupId group, const State& state) override;
  void came(migration::GroupId group, const State& state) override;
  void wrote(const OutcomeRow& row) override;
  void stored(std::uint64_t number) override;
  /// A change of the mailbox or of messages; returns the note's number.
  std::uint64_t append(const MailboxEntry& note) override;
  std::uint64_t append_message(const MessageNote& note) override;
  std::uint64_t append_lasting(const LastingNote& note) override;
  std::uint64_t appended() const override { return effects_; }
  /// Notes up to this number survive this worker.
  std::uint64_t durable() const override { return status_.alone() ? notes_ : durable_notes_; }
  std::uint64_t durable_outcomes() const override;
  bool may_be_contradicted(std::uint64_t outcome) const override;
  std::optional<WorkerIncarnation> in_sync_with() const;
  /// Grows with each change of in_sync_with().
  std::uint32_t word() const { return word_; }
  /// The newest applied input of the player that survives this worker. Only such inputs are
  /// acknowledged, because the client does not send an acknowledged input again.
  std::optional<AppliedInput> durable_input(const Player& player) const;
  bool may_move() const override { return !status_.losing(); }
  bool in_sync() const { return status_.in_sync(); }
  bool may_take() const override;
  /// The standby that receives everything.
  std::optional<WorkerSlot> standby() const;

 private:
  /// One replicated tick, and what its acknowledgement makes durable.
  struct Mark {
    std::uint32_t sequence = 0;
    std::map<HandleBlock, migration::LogIndex> logs;
    std::uint64_t outcomes = 0, notes = 0;
    /// The newest input of each player, by session.
    std::vector<std::pair<SessionId, AppliedInput>> inputs;
  };
  struct Sending {
    WorkerSlot to;
    Incarnation incarnation;
    std::uint32_t stream = 0;
    Tick answered;
    bool begun = false;  ///< the initial state has been handed to the link
    std::deque<Mark> marks;
    std::vector<std::byte> hinges;  ///< hinges as last sent
  };
  bool is_new() const { return ticks_between(begun_, needs_.next) <= new_ticks; }
  void report_acceptance();
  void begin_sending(const WorkerEntry& standby);
  void fill();
  void act_alone();
  const WorkerEntry* standby_by_map() const;
  bool holds_no_more();
  template <class Write>
  void append(Write&& write);
  template <class Walk>
  void append_long(ReplicaRecord kind, Walk&& walk);
  void write_everything();
  void write_log(HandleBlock incarnation, const Migrations::Region& log);
  void write_tick();
  void write_players();
  std::vector<std::pair<SessionId, AppliedInput>> applied_inputs() const;
  void on_whole_answer(Mark mark);
  void report_change();

  Needs needs_;
  /// Status of all that is replicated. While it is `losing`, nothing is promised, because the
  /// standby may have been promoted.
  migration::Standby<> status_;
  Tick begun_;
  std::uint32_t word_ = 0;
  std::uint32_t streams_ = 0;
  std::optional<Sending> sending_;
  std::uint64_t written_ = 0;  ///< number of the newest outcome
  /// Number of the last durable outcome, while the standby counts.
  std::uint64_t durable_ = 0;
  /// Number of the last note; of the last durable one; of the last one with effects.
  std::uint64_t notes_ = 0, durable_notes_ = 0, effects_ = 0;
  /// The newest durable input of each player.
  std::vector<std::pair<SessionId, AppliedInput>> durable_inputs_;
  std::map<migration::GroupId, State> came_;  ///< states for the next log entries of these groups
  ReplicaFrames frames_;
  std::optional<Tick> rests_until_;  ///< after its replication backlog was too large
};

}  // namespace perigee::worker
