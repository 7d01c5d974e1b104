/// Snapshots of a tick: the entities that changed, and the blocks for each observer.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/players/vehicle_control.hpp"
#include "perigee/worker/snapshots/chunk_sender.hpp"
#include "perigee/worker/snapshots/game_state_sender.hpp"
#include "perigee/worker/snapshots/observer_records.hpp"
#include "perigee/worker/snapshots/own_state.hpp"
#include "perigee/worker/snapshots/timeline_history.hpp"
#include "perigee/world/chain.hpp"

namespace perigee::worker {

class Snapshots {
 public:
  struct Needs {
    world::World& world;
    PlayerTable& players;
    ObserverTable& observers;
    replication::Publisher& publisher;
    ObserverRecords& observer_records;
    OwnState& own_state;
    GameStateSender& game_states;
    ChunkSender& chunk_sender;
    const VehicleControl& vehicles;
    const ClusterView& cluster;
    FabricBatch& fabric;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
    /// An entity does not exist any more.
    std::function<void(Handle)> on_gone;
  };
  explicit Snapshots(Needs needs);

  /// Publishes the entities that changed in the tick before `now`.
  void gather(Tick now);
  /// Writes blocks for all observers in force.
  void send(Tick now);
  /// The observer's client already has an entity that has just arrived here, and this track of it,
  /// see Publisher::adopt().
  void adopt(SessionId session, Handle entity, const replication::TrackVersion& has) {
    known_elsewhere_.push_back({session, entity, has});
  }
  /// The shared tracks of an entity that has just arrived here.
  void adopt_tracks(Handle entity, std::vector<replication::SharedTrack> tracks) {
    tracks_elsewhere_.emplace_back(entity, std::move(tracks));
  }

 private:
  void adopt_known();
  void list_chain_roots();
  replication::Published published(const world::Entity& entity, const Motion& motion,
                                   const world::Bounds& bounds, Tick now) const;
  void express_in_parent(replication::Published& entity, Tick now) const;
  void express_in_root(replication::Published& entity, Tick now) const;
  std::optional<replication::PastPlace> was_at(Handle handle, Tick tick) const;
  std::optional<replication::PastMotion> past_of(Handle handle, Tick tick, Handle parent) const;
  void visit_news_of(Handle object, const std::function<void(const WorldEvent&)>& visit) const;
  TimelineHistory history_to_send(const world::Entity& timeline) const;

  Needs needs_;
  /// Subscribers of entities that have just arrived.
  struct KnownElsewhere {
    SessionId session = 0;
    Handle entity = no_entity;
    replication::TrackVersion has;
  };
  std::vector<KnownElsewhere> known_elsewhere_;
  std::vector<std::pair<Handle, std::vector<replication::SharedTrack>>> tracks_elsewhere_;
  // While publishing:
  std::vector<world::ChainMember> chain_members_;
  std::vector<std::pair<Handle, Handle>> chain_roots_;  ///< of chained bodies
};

}  // namespace perigee::worker
