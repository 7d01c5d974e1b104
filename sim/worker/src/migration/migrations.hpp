/// Migration of groups to other workers: when, to which one, and the messages of both sides.
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "ghosts/ghosts.hpp"
#include "perigee/migration/region.hpp"
#include "perigee/worker/durability/durability_gate.hpp"
#include "perigee/worker/migration/arrival_notices.hpp"
#include "perigee/worker/migration/departed_players.hpp"
#include "perigee/worker/migration/group_transfer.hpp"
#include "perigee/worker/migration/in_doubt.hpp"
#include "perigee/worker/migration/migration_queue.hpp"
#include "perigee/worker/settings.hpp"

namespace perigee::worker {

/// The types that the migration protocol carries for a worker.
struct MigrationTraits {
  using State = std::shared_ptr<const std::vector<std::byte>>;  ///< as made by GroupTransfer::send
  /// No peer asks about older refusals. More than one is needed, because an entity may migrate as a
  /// part of another group, which the log does not record for that entity.
  static constexpr std::size_t refusals_max = 16;
};

/// Migrations as the standby replicates them.
class MigrationReplication {
 public:
  using State = MigrationTraits::State;
  virtual ~MigrationReplication() = default;

  virtual void log(HandleBlock incarnation, const migration::Entry& entry) = 0;
  /// State of a group as it was sent, and as it was received.
  virtual void left(HandleBlock incarnation, migration::GroupId group, const State& state) = 0;
  virtual void came(migration::GroupId group, const State& state) = 0;
  /// Migrations may start: their log entries can become durable.
  virtual bool may_move() const = 0;
  /// The directory knows that a standby has had a complete replica of this incarnation, or that no
  /// standby could have one. From then on this is a normal worker. An incarnation of which the
  /// directory does not know this has received no groups. If it dies, its regions are granted to
  /// another worker.
  virtual bool may_take() const = 0;
};

class Migrations {
 public:
  using Region = migration::Region<MigrationTraits>;
  using Ledger = migration::Ledger<MigrationTraits>;
  using Entry = migration::Entry;
  using Message = migration::Message<MigrationTraits>;
  using State = MigrationTraits::State;
  /// A region of the protocol is a worker incarnation here: the number of its block of handles.

  static constexpr std::int32_t rest_ticks = 60;  ///< minimum between two migrations of one group
  /// Lead time from the offer to the first tick at the receiver.
  static constexpr std::int32_t ahead_ticks = 6;
  static constexpr std::int32_t resend_ticks = 12;

  using Subscribers = GroupTransfer::Subscribers;
  struct Needs {
    world::World& world;
    PlayerTable& players;
    GroupTransfer& transfer;
    const Ghosts& ghosts;
    MigrationReplication& replication;
    const DurabilityGate& mailbox;
    const ClusterView& cluster;
    const WorkerOutputs& outputs;
    FabricBatch& fabric;
    Counts<Count>& counts;
    const Settings& settings;
    HandleBlock self;  ///< this incarnation
    const Tick& next;  ///< the tick that is simulated next
    /// A group of an ended incarnation is no longer in doubt, see Promotion::settled().
    std::function<void(HandleBlock, migration::GroupId, bool back)> settled;
    std::function<std::uint32_t(migration::GroupId)> players_in_doubt;
    /// A leave that waited until its player came back.
    std::function<void(const LeaveRecord&)> on_leave;
  };
  explicit Migrations(Needs needs);

  void on_map();
  /// The world is at the start of next_tick().
  void after_tick();
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// The sent states of groups that left and are not acknowledged.
  void for_each_in_doubt(const std::function<void(std::span<const std::byte>)>& visit) const;
  DepartedPlayers& departed() { return departed_; }
  /// For players that are owned here from now on.
  ArrivalNotices& arrivals() { return arrivals_; }
  std::optional<WorkerSlot> worker_of(HandleBlock incarnation) const;
  std::optional<HandleBlock> block_of(WorkerSlot slot) const;
  /// The root of a group that leaves at a coming tick.
  bool leaves(migration::GroupId root) const { return due_.contains(root); }
  /// The number of groups without an answer, and of those that came back and have no room.
  std::size_t in_doubt() const;
  /// The number of groups that ever came or left, as far as a log here knows. (decision 0041)
  std::size_t remembered() const;
  std::vector<GroupInDoubt> doubts() const;
  std::vector<HandleBlock> incarnations() const;
  /// The length of the migration queue.
  std::size_t queued_migrations() const { return queue_.size(); }

  /// Calls each log with the effects that it may have, for events of the standby.
  void each_log(const std::function<void(Region&, migration::Effects<MigrationTraits>&)>& call);
  /// State of an ended incarnation that this worker takes over. Groups that left it are in doubt
  /// until their destination has answered; `finals`: their sent states.
  struct TakenOverLog {
    Epoch epoch;
    Ledger ledger;
    std::map<migration::GroupId, State> finals;
    std::map<migration::GroupId, State> taken;  ///< received too late to have been replicated
  };
  void take_over(HandleBlock incarnation, TakenOverLog taken_over);
  bool hosts(HandleBlock incarnation) const { return logs_.contains(incarnation); }

 private:
  /// The log of one incarnation, as a region of the protocol.
  struct Log final : migration::Effects<MigrationTraits> {
    Log(Migrations& of, Region log) : owner(of), region(std::move(log)) {}
    void send(const Message& message) override { owner.send(message); }
    void replicate(migration::LogIndex index, const Entry& entry) override;

    Migrations& owner;
    Region region;
  };
  Epoch epoch_of(HandleBlock incarnation) const;
  bool offer(migration::GroupId root, WorkerSlot to);
  bool is_too_large(const world::Group& group) const;
  /// Passes a step on for measurements.
  void tell(std::optional<MigrationStep> step, const Message& message, HandleBlock with) const;
  void send(const Message& message);
  bool hold_back(const Message& message);
  void send_held_back();
  void deliver_to_ourselves();
  void settle_with_ended();
  void release_at_border();
  void let_go(migration::GroupId root);
  void receive_incoming();
  void deliver(const Message& message);
  Message with_needs(Message prepare) const;
  bool wants_to_have(const Message& message) const;
  bool has_room_for(const Message& prepare) const;
  void come_back(migration::GroupId root, const State& state,
                 Subscribers subscribers = Subscribers::Stand);
  bool ours(migration::GroupId root) const;
  void expect_back(migration::GroupId root, HandleBlock to, std::span<const std::byte> final);
  void receive_returning();
  bool receive(migration::GroupId root, std::span<const std::byte> bytes, Subscribers subscribers);
  bool in_doubt(migration::GroupId root) const;
  bool may_more_leave() const;

  Needs needs_;
  /// Logs of this incarnation, and of those taken over.
  std::map<HandleBlock, std::unique_ptr<Log>> logs_;
  Log& own_;                           ///< the log of this incarnation
  std::vector<Message> to_ourselves_;  ///< messages from one of our logs to another
  struct Returning {
    migration::GroupId root = 0;
    State state;
    Tick since;
    std::uint32_t players = 0;
    Subscribers subscribers = Subscribers::Stand;
  };
  std::vector<Returning> returning_;  ///< refused by the destination, and no room here yet
  /// The tick for which a group was offered; not offered again before.
  std::map<migration::GroupId, Tick> offered_;
  /// Room reserved for another worker's group that was announced.
  struct Promised {
    std::size_t players = 0, things = 0;
    Tick until;
  };
  std::map<migration::GroupId, Promised> promised_;
  std::map<migration::GroupId, Tick> due_;  ///< with OUT logged: the tick at which it leaves
  std::map<migration::GroupId, Tick> moved_;
  std::vector<Message> waiting_;  ///< FINALs, for their tick
  /// FINALs of groups that have sent or read mailbox messages wait until these messages are
  /// durable. By group: the note that the standby must have.
  std::map<migration::GroupId, std::uint64_t> held_until_;
  std::vector<Message> held_;
  MigrationDestinations destinations_;
  MigrationQueue queue_;
  DepartedPlayers departed_;
  ArrivalNotices arrivals_;
};

}  // namespace perigee::worker
