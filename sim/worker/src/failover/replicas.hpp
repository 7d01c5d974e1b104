/// Replicas of other workers that have this one as their standby, and the detection of the death of
/// these workers.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "failover/replica_codec.hpp"
#include "failover/sent_inputs.hpp"
#include "failover/standby_stream.hpp"
#include "lasting/lasting_codec.hpp"
#include "messages/message_codec.hpp"
#include "migration/migrations.hpp"
#include "outcomes/mailbox_codec.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/worker/failover/failure_detector.hpp"

namespace perigee::worker {

/// The replica of another worker that has this one as its standby.
struct ReplicaState {
  std::uint32_t cluster_id = 0;
  Incarnation incarnation;
  std::optional<std::uint32_t> stream;
  std::uint32_t next = 0;
  std::optional<Tick> asked;
  std::map<HandleBlock, Migrations::TakenOverLog> logs;
  std::deque<OutcomeRow> outcomes;  ///< not in the journal yet; by number
  MailboxState mailbox;
  MessageLogs messages;
  LastingLogs lasting;
  std::vector<std::byte> unheard;  ///< records after the newest complete tick
  bool anew = false;               ///< no complete tick of this stream has been received
  std::vector<world::HingeDrive> hinges;
  std::optional<ReplicaTick> tick;       ///< the newest
  std::vector<std::byte> players;        ///< serialized players of that tick
  std::map<SessionId, SentInputs> sent;  ///< at most players_max
  Tick received;                         ///< our tick when the last message came
  bool link_lost = false;
  std::optional<Tick> suspected;
  FailureDetector detector;
};
class Replicas {
 public:
  using State = Migrations::State;
  using Entry = Migrations::Entry;

  static constexpr std::int32_t again_ticks = 12;
  static constexpr std::int32_t suspect_again_ticks = 6;
  /// A sender with more data between two ticks has dropped its standby itself.
  static constexpr std::size_t unheard_bytes_max = 2 * StandbyStream::unsent_bytes_max;

  struct Needs {
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
    /// All ghosts of that worker are here, as of that tick.
    std::function<bool(WorkerSlot, Tick)> knows_all_of;
  };
  explicit Replicas(Needs needs) : needs_(std::move(needs)) {}

  /// `whole`: this message completes a tick.
  void on_frame(WorkerSlot from, std::span<const std::byte> bytes, bool whole);
  void on_link_lost(WorkerSlot with);
  /// Copy of an input, from the gateway that sent it to the avatar's owner.
  void on_input(WorkerSlot owner, const InputRecord& record);
  /// Suspects workers that have been silent for too long.
  void watch();
  std::vector<WorkerIncarnation> suspects() const;
  /// This worker has a replica of that one.
  bool replicates(WorkerSlot slot) const { return replica_states_.contains(slot); }
  /// Whether the map promotes this worker if the incarnation of that worker ends.
  bool succeeds(WorkerSlot slot) const;
  /// The client's avatar is in the replica of a worker that may be dead.
  bool suspect_has(std::uint64_t client_id) const;
  /// A worker that this one may have to succeed has a profile of the player's account that is not
  /// in the store.
  bool has_profile_of(const JoinRecord& join) const;
  std::map<WorkerSlot, ReplicaState>& all() { return replica_states_; }

 private:
  void forget_all_but_inputs(ReplicaState& replica_state);
  bool in_order(WorkerSlot from, ReplicaState& replica_state, const ReplicaHead& head);
  bool receive(WorkerSlot from, ReplicaState& replica_state, ByteReader& reader);
  static void forget_outcome(ReplicaState& replica_state, std::uint64_t number);
  static bool read_state(ByteReader& reader, std::uint32_t size, State& out);
  static bool receive_log(ReplicaState& replica_state, ByteReader& reader);
  static bool receive_entry(ReplicaState& replica_state, ByteReader& reader);
  static bool receive_hinges(ReplicaState& replica_state, ByteReader& reader);
  static bool receive_message_note(ReplicaState& replica_state, ByteReader& reader);
  static bool receive_lasting_note(ReplicaState& replica_state, ByteReader& reader);
  bool receive_tick(WorkerSlot from, ReplicaState& replica_state, ByteReader& reader);
  void answer(WorkerSlot to, const ReplicaAnswer& answer);
  void forget_the_silent(ReplicaState& replica_state) const;

  Needs needs_;
  std::map<WorkerSlot, ReplicaState> replica_states_;
  ControlFrame frame_;  ///< the one that is read: 180 inputs are not cleared each time
};

}  // namespace perigee::worker
