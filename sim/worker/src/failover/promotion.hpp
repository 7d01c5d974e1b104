/// Promotion: a worker has died, and this one takes over its state. The dead worker's entities are
/// here as ghosts and its players as bytes. Its logs become logs of this worker. Groups that it had
/// sent wait for the answer of their destination.
#pragma once

#include <map>
#include <set>
#include <span>
#include <vector>

#include "failover/replicas.hpp"
#include "lasting/lasting_records.hpp"
#include "messages/broadcasts.hpp"
#include "outcomes/mailbox.hpp"
#include "perigee/replay/crash_report.hpp"

namespace perigee::worker {

class Promotion {
 public:
  /// Players are stepped through the missed ticks with their received inputs if their worker fell
  /// silent no longer ago than this.
  static constexpr std::int32_t catch_up_ticks_max = 60;
  /// A group that was leaving a dead worker, and that is known here only from ghosts, cannot be
  /// replicated to our own standby. For this long the standby does not count as complete until such
  /// groups are settled. Less: such a group is lost with the second worker; more: everything else
  /// is without a standby meanwhile.
  static constexpr std::int32_t doubtful_ticks_max = 300;

  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    PlayerSessions& player_sessions;
    PlayerSteps& player_steps;
    Outcomes& outcomes;
    OutcomeJournal& outcome_journal;
    GroupTransfer& transfer;
    Ghosts& ghosts;
    Migrations& migrations;
    Mailbox& mailbox;
    Broadcasts& broadcasts;
    LastingRecords& lasting;
    Replicas& replicas;
    StandbyStream& standby;
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit Promotion(Needs needs) : needs_(needs) {}

  /// Promotes replicas of workers that have died, before `Ghosts` adopts the map.
  void on_map();
  /// A group is no longer in doubt. `back`: it is ours again as replicated. Else another worker has
  /// it, or it was restored from its sent state.
  void settled(HandleBlock incarnation, migration::GroupId group, bool back);
  /// Players of a group that was leaving its owner when the owner died, if known only from
  /// replication.
  std::uint32_t players_in_doubt(migration::GroupId group) const;
  /// The client's avatar is in a group in doubt.
  bool in_doubt(std::uint64_t client_id) const;
  /// A group in doubt is a ghost here, so no worker replicates it to our standby.
  bool has_unreplicated() const;

 private:
  /// A group that was leaving when its worker died, as far as it is known here.
  struct Doubtful {
    HandleBlock incarnation;
    migration::GroupId group = 0;
    Tick since;
    bool as_it_left = false;  ///< its sent state is known, so the log replicates it, too
    std::vector<Handle> members;
    std::vector<ReplicaPlayer> players;
    std::vector<world::HingeDrive> hinges;
  };

  void take_over(WorkerSlot from, ReplicaState replica_state, bool skip_pending_inputs);
  void drop_replicas();
  void drop_what_waits(ReplicaPlayer& replica) const;
  std::vector<ReplicaPlayer> players_of(const ReplicaState& replica_state) const;
  static bool all_here(const GroupTransfer::Arrival& arrival, const std::set<Handle>& things,
                       const std::vector<ReplicaPlayer>& players);
  void settle_taken(ReplicaState& replica_state, std::set<Handle>& things,
                    std::vector<ReplicaPlayer>& players) const;
  static void receive_what_was_sent(const ReplicaState& replica_state, ReplicaPlayer& replica);
  using Carried = std::multimap<Handle, Handle>;
  Carried carried(const ReplicaState& replica_state, const std::set<Handle>& of) const;
  static std::vector<Handle> closure(migration::GroupId root, const ReplicaState& replica_state,
                                     const std::set<Handle>& of, const Carried& carried);
  void own(const std::vector<Handle>& things, std::span<const world::HingeDrive> hinges);
  void go_on(std::vector<ReplicaPlayer> players);

  void send_crash_report(WorkerSlot of, const ReplicaState& replica_state,
                         std::span<const ReplicaPlayer> players, replay::Fate fate) const;

  Needs needs_;
  std::vector<Doubtful> doubtful_;
};

}  // namespace perigee::worker
