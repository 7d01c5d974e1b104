/// Standbys: each worker replicates all of its state to one other worker, and takes over the state
/// of a third worker that had it as its standby when that worker's incarnation ends. All neighbours
/// receive entities near a border as ghosts; the standby receives every entity that way, and here
/// the state that only the owner knows: players, logs, outcomes. (decision 0033)
///
/// When the standby has acknowledged tick n, everything logged and decided up to n is durable. Only
/// the map decides whether the standby counts (rule R4).
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "handoffs.hpp"
#include "outcome_journal.hpp"
#include "perigee/netcode/worker_report.hpp"
#include "perigee/worker/core.hpp"
#include "perigee/worker/durability_gate.hpp"
#include "perigee/worker/failure_detector.hpp"
#include "perigee/worker/standby_relations.hpp"
#include "post_codec.hpp"
#include "replica_codec.hpp"
#include "replica_words.hpp"
#include "sent_inputs.hpp"

namespace perigee::worker {

class Core::Buddies final : public DurabilityGate,
                            public StandbyRelations,
                            public MigrationReplication,
                            public OutcomeReplication {
 public:
  using Life = Handoffs::Life;
  using State = Handoffs::State;
  using Entry = Handoffs::Entry;

  /// Without an acknowledgement for this long the standby is dropped, and replication starts over.
  static constexpr std::int32_t unanswered_ticks_max = 60;
  static constexpr std::int32_t again_ticks = 12;
  static constexpr std::int32_t suspect_again_ticks = 6;
  /// Players are stepped through the missed ticks with their received inputs if their worker fell
  /// silent no longer ago than this.
  static constexpr std::int32_t catch_up_ticks_max = 60;
  /// For this long after its start, a new incarnation refuses groups until its standby has a
  /// complete replica. Less: groups sent to a new worker are lost with it; more: a worker with an
  /// unreachable standby waits longer for its share.
  static constexpr std::int32_t new_ticks = 300;

  /// A group that was leaving a dead worker, and that is known here only from ghosts, cannot be
  /// replicated to our own standby. For this long the standby does not count as complete until such
  /// groups are settled. Less: such a group is lost with the second worker; more: everything else
  /// is without a standby meanwhile.
  static constexpr std::int32_t doubtful_ticks_max = 300;

  /// If more replication data than this is queued, drop the standby and act alone for a while.
  static constexpr std::size_t untold_bytes_max = 256 << 20;
  /// A sender with more data between two ticks has dropped its standby itself.
  static constexpr std::size_t unheard_bytes_max = 2 * untold_bytes_max;
  static constexpr std::int32_t untold_rest_ticks = 600;

  explicit Buddies(Core& core);

  void on_map();
  /// Promotes standby replicas of workers that have died, before `Ghosts` adopts the map.
  void inherit_from_the_dead();
  /// The world is at the start of next_tick(), and the ghosts of that tick have been sent.
  void after_tick();
  /// `whole`: this message completes a tick.
  void on_words(WorkerSlot from, std::span<const std::byte> bytes, bool whole);
  void on_answer(WorkerSlot from, std::span<const std::byte> bytes);
  void on_link_lost(WorkerSlot with);
  /// Copy of an input, from the gateway that sent it to the avatar's owner.
  void on_input(WorkerSlot owner, const InputRecord& record);

  // Our own state, as replicated to the standby.
  void log(Life life, const Entry& entry) override;
  void left(Life life, handoff::GroupId group, const State& state) override;
  void came(handoff::GroupId group, const State& state) override;
  void settled(Life life, handoff::GroupId group, bool back) override;
  void wrote(const OutcomeRow& row) override;
  void stored(std::uint64_t number) override;
  /// A change of the mailbox; returns the note's number.
  std::uint64_t append(const PostNote& note) override;
  std::uint64_t appended() const override { return notes_; }
  /// Notes up to this number survive this worker.
  std::uint64_t durable() const override { return mode_ == Mode::Alone ? notes_ : durable_notes_; }
  std::uint64_t durable_outcomes() const override;
  bool may_be_contradicted(std::uint64_t outcome) const override;
  std::optional<WorkerLife> in_sync_with() const;
  /// Grows with each change of in_sync_with().
  std::uint32_t word() const { return word_; }
  /// The newest applied input of the player that survives this worker. Only such inputs are
  /// acknowledged, because the client does not send an acknowledged input again.
  std::optional<AppliedInput> durable_input(const Player& player) const;
  bool may_move() const override { return mode_ != Mode::Losing; }
  bool in_sync() const { return mode_ == Mode::InSync; }
  bool may_take() const override;
  /// The standby that receives everything.
  std::optional<WorkerSlot> standby() const override;

  // State of other workers.
  std::vector<WorkerLife> suspects() const;
  bool replicates(WorkerSlot slot) const override { return wards_.contains(slot); }
  /// Whether the map promotes this worker if that one's incarnation ends.
  bool succeeds(WorkerSlot slot) const override;
  /// The client's avatar is in the replica of a worker that may be dead, or in a group in doubt.
  bool keeps_of_the_silent(std::uint64_t client_id) const;
  std::uint32_t players_in_doubt(handoff::GroupId group) const override;

 private:
  enum class Mode : std::uint8_t {
    Alone,  ///< everything is durable at once
    /// New entries wait for the standby's acknowledgement; earlier ones are still being sent.
    Filling,
    Joining,  ///< the standby is complete; waits for the map to say so
    InSync,
    /// Waits for the map to say that there is no standby. Until then nothing new is durable, and
    /// nothing is promised, because the standby may have been promoted.
    Losing
  };
  /// One replicated tick, and what its acknowledgement makes durable.
  struct Mark {
    std::uint32_t sequence = 0;
    std::map<Life, handoff::LogIndex> logs;
    std::uint64_t outcomes = 0, notes = 0;
    /// The newest input of each player, by session.
    std::vector<std::pair<SessionId, AppliedInput>> inputs;
  };
  struct Telling {
    WorkerSlot to = 0;
    std::uint32_t life = 0;
    std::uint32_t stream = 0;
    Tick answered;
    bool begun = false;  ///< the initial state has been handed to the link
    std::deque<Mark> marks;
    /// With this message the standby has all that was durable without it.
    std::uint32_t fills_at = 0;
    std::vector<std::byte> hinges;  ///< hinges as last sent
  };
  /// The replica of another worker that has this one as its standby.
  struct Ward {
    std::uint32_t incarnation = 0, life = 0;
    std::optional<std::uint32_t> stream;
    std::uint32_t next = 0;
    std::optional<Tick> asked;
    std::map<Life, Handoffs::Inheritance> logs;
    std::deque<OutcomeRow> outcomes;  ///< not in the journal yet; by number
    PostState post;
    std::vector<std::byte> unheard;  ///< records after the newest complete tick
    bool anew = false;               ///< no complete tick of this stream has been received
    std::vector<world::HingeDrive> hinges;
    std::optional<ReplicaTick> tick;       ///< the newest
    std::vector<std::byte> players;        ///< serialized players of that tick
    std::map<SessionId, SentInputs> sent;  ///< at most players_max
    Tick heard;                            ///< our tick when the last message came
    bool link_lost = false;
    std::optional<Tick> suspected;
    FailureDetector detector;
  };
  /// A group that was leaving when its worker died, as far as it is known here.
  struct Doubtful {
    Life life = 0;
    handoff::GroupId group = 0;
    Tick since;
    bool as_it_left = false;  ///< its sent state is known, so the log replicates it, too
    std::vector<Handle> members;
    std::vector<ReplicaPlayer> players;
    std::vector<world::HingeDrive> hinges;
  };

  // buddies_told.cpp
  bool is_new() const { return ticks_between(begun_, core_.next_) <= new_ticks; }
  void say_that_it_takes_alone();
  void begin_telling(const WorkerEntry& buddy);
  void lose();
  void fill();
  void act_alone();
  const WorkerEntry* buddy_by_map() const;
  bool holds_no_more();
  template <class Write>
  void say(Write&& write);
  void say_everything();
  void say_log(Life life, const Handoffs::Region& log);
  void say_tick();
  void say_players();
  std::vector<std::pair<SessionId, AppliedInput>> applied_inputs() const;
  void on_whole_answer(Mark mark);
  bool has_what_cannot_be_told() const;
  void change(Mode mode);

  // buddies_heard.cpp
  void forget_all_but_inputs(Ward& ward);
  bool in_order(WorkerSlot from, Ward& ward, const ReplicaHead& head);
  bool hear(WorkerSlot from, Ward& ward, ByteReader& reader);
  static void forget_outcome(Ward& ward, std::uint64_t number);
  static bool read_state(ByteReader& reader, State& out);
  static bool hear_log(Ward& ward, ByteReader& reader);
  static bool hear_entry(Ward& ward, ByteReader& reader);
  static bool hear_hinges(Ward& ward, ByteReader& reader);
  bool hear_tick(WorkerSlot from, Ward& ward, ByteReader& reader);
  void answer(WorkerSlot to, const ReplicaAnswer& answer);
  void forget_the_silent(Ward& ward) const;
  void watch_wards();

  // inheriting.cpp
  void inherit(WorkerSlot from, Ward ward, bool careful);
  void let_go_of_wards();
  void drop_what_waits(ReplicaPlayer& replica) const;
  std::vector<ReplicaPlayer> players_of(const Ward& ward) const;
  static bool all_here(const GroupTransfer::Arrival& arrival, const std::set<Handle>& things,
                       const std::vector<ReplicaPlayer>& players);
  void settle_taken(Ward& ward, std::set<Handle>& things,
                    std::vector<ReplicaPlayer>& players) const;
  static void hear_what_was_sent(const Ward& ward, ReplicaPlayer& replica);
  using Carried = std::multimap<Handle, Handle>;
  Carried carried(const Ward& ward, const std::set<Handle>& of) const;
  static std::vector<Handle> closure(handoff::GroupId root, const Ward& ward,
                                     const std::set<Handle>& of, const Carried& carried);
  void own(const std::vector<Handle>& things, std::span<const world::HingeDrive> hinges);
  void go_on(std::vector<ReplicaPlayer> players);

  // last_words.cpp
  void tell_last_words(WorkerSlot of, const Ward& ward, std::span<const ReplicaPlayer> players,
                       replay::Fate fate) const;

  Core& core_;
  Mode mode_ = Mode::Alone;
  Tick begun_;
  std::uint32_t word_ = 0;
  std::uint32_t streams_ = 0;
  std::optional<Telling> telling_;
  std::uint64_t written_ = 0;  ///< number of the newest outcome
  /// Number of the last durable outcome, while the standby counts.
  std::uint64_t durable_ = 0;
  /// Number of the last note; of the last durable one.
  std::uint64_t notes_ = 0, durable_notes_ = 0;
  /// The newest durable input of each player.
  std::vector<std::pair<SessionId, AppliedInput>> durable_inputs_;
  std::map<handoff::GroupId, State> came_;  ///< states for the next log entries of these groups
  ReplicaWords words_;
  std::optional<Tick> rests_until_;  ///< after its replication backlog was too large
  std::map<WorkerSlot, Ward> wards_;
  std::vector<Doubtful> doubtful_;
};

}  // namespace perigee::worker
