/// A simulation worker without its process: owns entities, simulates their ticks, applies players'
/// inputs with rollback, and replicates to clients. Its regions of the cluster map define which
/// entities it should own. Entities inside another worker's region are migrated to that worker.
/// Driven by (event, tick); no clock, no socket.
///
/// Order of calls: on_map() until the worker owns its first region -> ready(), which stays true
/// when all regions are lost again -> per tick: on_fabric() for all datagrams that arrived, then
/// tick().
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/fabric_batch.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/worker_report.hpp"
#include "perigee/replay/crash_report.hpp"
#include "perigee/replication/publisher.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/durability/checkpoint_schedule.hpp"
#include "perigee/worker/flight_recordings.hpp"
#include "perigee/worker/migration/group_transfer.hpp"
#include "perigee/worker/migration/in_doubt.hpp"
#include "perigee/worker/outcomes/journal_log.hpp"
#include "perigee/worker/outputs.hpp"
#include "perigee/worker/players/player_inputs.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/group.hpp"

namespace perigee::worker {

struct Shard;

struct TickSummary {
  std::uint32_t players = 0;
  std::uint32_t entities = 0;
  std::uint32_t observers = 0;
  std::uint32_t most_gap_steps = 0;  ///< see OpenGaps
};

class Core {
 public:
  Core(const Settings& settings, const world::GameModule& game, WorkerSlot slot,
       FabricBatch::Send send);
  ~Core();

  /// Adopts a newer map. With its first own region the worker creates its world, which begins at
  /// `start`. Populates each region that is newly created as its own, once.
  void on_map(const ClusterMap& map, Tick start);
  bool ready() const { return shard_ != nullptr; }
  /// A fabric datagram; `arrived` is the kernel's receive stamp.
  void on_fabric(FineTick arrived, const Address& from, std::span<const std::byte> datagram);
  Tick next_tick() const { return next_; }
  /// Simulates next_tick() and publishes the state at its end.
  void tick();

  using SentGroup = GroupTransfer::SentGroup;
  using Subscribers = GroupTransfer::Subscribers;
  /// Whether a group can be sent to another worker now. Fixtures are bound to nothing.
  bool can_send_group(Handle of, std::optional<WorkerSlot> to = std::nullopt) const;
  SentGroup send_group(Handle of);
  /// Adds a group that another worker sent at this tick or an earlier one, and returns the sessions
  /// of its players. Returns none and changes nothing if the bytes are no group, come from another
  /// build or a later tick, if there is no room, or if a handle is in use.
  std::optional<std::vector<SessionId>> receive_group(std::span<const std::byte> bytes,
                                                      Subscribers subscribers = Subscribers::Stand);

  WorkerOutputs outputs;

  /// A message of another worker. Messages arrive in order, complete and exactly once, or the link
  /// is lost.
  void on_peer(WorkerSlot from, std::span<const std::byte> bytes);
  /// The worker at the other end of this link may be dead.
  void on_link_lost(WorkerSlot with);

  /// The world store's answer. A fenced outcome never happened: another worker has taken over from
  /// this one.
  void on_stored(std::uint64_t number, Journalled became);
  void on_kept(std::uint64_t number, Journalled became);
  void on_profile(std::uint64_t number, const TakenProfile& profile);
  /// Records that the store has not answered, or does not have yet.
  std::size_t lasting_open() const;
  /// One of them is this profile.
  bool has_unstored_profile(std::uint64_t owner) const;
  /// Hands the store the records that it may have now, as tick() does. For a worker without further
  /// ticks.
  void send_lasting();
  std::size_t outcomes_waiting() const;
  /// Limit of outcomes that wait for the store. Outcomes beyond it are counted and not written.
  /// They are sent to players at once, unless a promoted standby may contradict them.
  static constexpr std::size_t outcomes_waiting_max = 65'536;
  /// Called with the current tick while not ready(). A worker without a world contributes an empty
  /// part to each checkpoint.
  void idle(Tick now);
  /// The worker has a region that must be restored. It simulates nothing before restore().
  bool awaits_checkpoint() const;
  /// Starts at `start` with the checkpoint's content of our regions, or with new content if there
  /// is no checkpoint.
  void restore(const std::optional<WholeCheckpoint>& checkpoint, Tick start);

  /// Stretches the update intervals of distant entities. 1: no stretch. Takes effect within a
  /// second; see TickBudget.
  void give_way(float least_stretch) { least_stretch_ = least_stretch; }

  WorkerSlot slot() const { return slot_; }
  const Counts<Count>& counts() const { return counts_; }
  /// Invalid values returned by the game, for the log: the first of each type and value since the
  /// last call. The counter has all of them.
  world::GameFaults::Unsent take_game_faults();
  /// Samples of the inputs since the last call.
  Transits take_transits() { return player_inputs_.take_transits(); }
  Waits take_waits() { return player_inputs_.take_waits(); }
  const replication::Publisher& publisher() const { return publisher_; }
  TickSummary summary() const;
  /// Handles for new entities. None: there is no world yet.
  std::optional<std::uint32_t> handles_left() const;
  /// The present state, between two ticks. Called about once a second. `load_ms`: measured
  /// processor time per tick since the last report. None: it is estimated from the weights of
  /// entities.
  WorkerReport report(std::optional<double> load_ms);
  /// A standby has a complete replica, and the map says so.
  bool in_sync() const;
  /// All mailbox messages are settled: those sent from here were read, and the senders of messages
  /// read here know that they were read.
  bool messages_settled() const;
  std::size_t messages_open() const;
  /// Entities in other workers' regions, as far as the last scans found them.
  std::size_t queued_migrations() const;
  /// Groups that no receiver has acknowledged: sent by this worker, or by a dead worker that this
  /// one has taken over.
  std::size_t groups_in_doubt() const;
  /// Groups in the logs of this worker, wherever they are now. (decision 0041)
  std::size_t groups_remembered() const;
  /// The groups in doubt that no worker simulates, the oldest first.
  std::vector<GroupInDoubt> doubts() const;
  /// The worker incarnations that this worker answers for, by the numbers of their handle blocks:
  /// its own, and those that it has taken over.
  std::vector<HandleBlock> incarnations() const;
  /// A hash over all state: the same seed gives the same hash.
  std::uint64_t hash() const;
  const Player* player_of(std::uint64_t client_id) const;
  void for_each_player(const std::function<void(const Player&)>& visit) const;
  /// The server's half of a recording of a player's last seconds. None: there is no recorder, or
  /// the player is not here. `build` names the program.
  std::optional<replay::Recording> recording(const Misprediction& of, std::string_view build) const;
  /// Mispredictions since the last call; a full list drops further ones. Only with a recorder.
  Mispredictions take_mispredictions();
  /// Notes a misprediction for every player, as many as fit.
  void note_everybody();
  /// Recorders that operators arm for single players. Null: not ready().
  FlightRecordings* flight_recordings();
  /// Changes a player's state between two ticks, outside of the simulation: for the tool that
  /// demonstrates a fault. Does nothing if the player is not here.
  void disturb(std::uint64_t client_id, const std::function<void(ActorState&)>& change);
  const world::World& world() const;
  const JournalLog& journal() const { return journal_; }

 private:
  void drop(Count reason) { counts_.add(reason); }
  void make_shard(const WorkerEntry& self, Tick start);

  // report.cpp
  /// Load caused by other workers' entities and players, in the weights of the load report.
  struct OfOthers {
    double all_us = 0, copies_us = 0;
  };
  OfOthers of_others() const;

  void on_join(const JoinRecord& join, const Address& from, bool from_gateway);
  void on_leave(const LeaveRecord& leave);

  Settings settings_;
  const world::GameModule& game_;
  WorkerSlot slot_;
  FabricBatch fabric_;
  ClusterMap map_;
  ClusterView cluster_;
  CheckpointSchedule checkpoint_schedule_;
  Tick next_;
  PlayerTable players_;
  replication::Publisher publisher_;
  ObserverTable observers_;
  PlayerInputs player_inputs_;
  float least_stretch_ = 1;
  double ms_per_weight_ = 0;  ///< milliseconds of a tick per weight, as last reported
  JournalLog journal_;
  Counts<Count> counts_;
  std::unique_ptr<Shard> shard_;  ///< none: this worker has owned no region yet
};

}  // namespace perigee::worker
