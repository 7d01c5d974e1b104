/// The simulation of a worker's regions: a world, and all components that need one. A worker has a
/// shard from its first own region on, and routes messages to the components.
#pragma once

#include <cstdint>

#include "durability/checkpoint_parts.hpp"
#include "durability/world_restore.hpp"
#include "failover/promotion.hpp"
#include "failover/replicas.hpp"
#include "failover/standby_stream.hpp"
#include "ghosts/ghosts.hpp"
#include "lasting/profile_loads.hpp"
#include "messages/broadcasts.hpp"
#include "migration/migrations.hpp"
#include "outcomes/mailbox.hpp"
#include "outcomes/outcome_journal.hpp"
#include "perigee/worker/failover/standby_relations.hpp"
#include "perigee/worker/flight_recordings.hpp"
#include "perigee/worker/migration/entity_ownership.hpp"
#include "perigee/worker/own_regions.hpp"
#include "perigee/worker/players/avatar_locator.hpp"
#include "perigee/worker/players/claims.hpp"
#include "perigee/worker/players/open_gaps.hpp"
#include "perigee/worker/players/player_sessions.hpp"
#include "perigee/worker/players/player_steps.hpp"
#include "perigee/worker/players/stray_actors.hpp"
#include "perigee/worker/snapshots/snapshots.hpp"
#include "perigee/worker/tick/rollback.hpp"

namespace perigee::worker {

struct Shard {
  struct Needs {
    const Settings& settings;
    const world::GameModule& game;
    const ClusterView& cluster;
    FabricBatch& fabric;
    const WorkerOutputs& outputs;
    PlayerTable& players;
    ObserverTable& observers;
    replication::Publisher& publisher;
    CheckpointSchedule& checkpoint_schedule;
    JournalLog& journal;
    Counts<Count>& counts;
    /// Stretch of update intervals that this worker's load asks for, at least 1.
    const float& least_stretch;
    Tick& next;  ///< the tick that is simulated next
  };
  /// An empty world that begins at needs.next. `self`: this worker in the map.
  Shard(Needs needs, const WorkerEntry& self);

  /// Populates new regions, takes over ended workers, and tells all components about the map.
  void on_map();
  void restore(const WholeCheckpoint& checkpoint);
  void on_peer(PeerKind kind, WorkerSlot from, std::span<const std::byte> bytes);
  /// Simulates the next tick, and publishes the state at its end.
  void tick();

  /// What migrations and ghosts know about owners.
  class Ownership final : public EntityOwnership {
   public:
    explicit Ownership(const Shard& shard) : shard_(shard) {}
    std::optional<WorkerSlot> owner_of(Handle entity) const override;
    std::optional<HandleBlock> block_of(WorkerSlot worker) const override;
    std::optional<WorkerSlot> worker_of(HandleBlock incarnation) const override;
    bool leaves(Handle root) const override;

   private:
    const Shard& shard_;
  };
  /// Which worker is whose standby, as the two halves of replication know it.
  class Standbys final : public StandbyRelations {
   public:
    explicit Standbys(const Shard& shard) : shard_(shard) {}
    std::optional<WorkerSlot> standby() const override;
    bool replicates(WorkerSlot worker) const override;
    bool succeeds(WorkerSlot worker) const override;

   private:
    const Shard& shard_;
  };

  Needs needs;
  HandleBlock block;  ///< names this incarnation; the spawner of its entity ids
  world::World world;
  DepartedEntities departed;
  OwnRegions own_regions;
  CheckedGame checked_game;
  GroundEdits ground_edits;
  GameSpawns game_spawns;
  ChunkSender chunk_sender;
  CueSender cue_sender;
  Outcomes outcomes;
  PlayerSessions player_sessions;
  ParentSwitches parent_switches;
  VehicleControl vehicles;
  UseActions use_actions;
  PlayerSteps player_steps;
  StrayActors stray_actors;
  Rollback rollback;
  OpenGaps open_gaps;
  FlightRecordings flight_recordings;
  Claims claims;
  OwnState own_state;
  GameStateSender game_states;
  ObserverRecords observer_records;
  Snapshots snapshots;
  Ownership ownership;
  Standbys standbys;
  StandbyStream standby_stream;
  Replicas replicas;
  OutcomeJournal outcome_journal;
  Mailbox mailbox;
  MessageExchange message_exchange;
  Broadcasts broadcasts;
  LastingRecords lasting;
  ProfileLoads profile_loads;
  Ghosts ghosts;
  GroupTransfer group_transfer;
  Migrations migrations;
  Promotion promotion;
  CheckpointParts checkpoint_parts;
  WorldRestore world_restore;
  AvatarLocator avatar_locator;

 private:
  void simulate();
  void decide();
  void publish();
  void send_to_peers();
  void remove_lost_entities();
  void ended(TickPhase phase) const {
    if (needs.outputs.phase_ended) needs.outputs.phase_ended(phase);
  }
};

}  // namespace perigee::worker
