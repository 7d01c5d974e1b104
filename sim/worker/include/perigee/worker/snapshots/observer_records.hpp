/// Observer records: where each client looks from, as all workers near it know it. All workers
/// extrapolate the records alike. So the same clients receive an entity at the same ticks,
/// whichever worker owns it. Tallies return what the client's entities cost at each worker.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "perigee/base/fabric_batch.hpp"
#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class ObserverRecords {
 public:
  struct Needs {
    const world::World& world;
    PlayerTable& players;
    ObserverTable& observers;
    replication::Publisher& publisher;
    const ClusterView& cluster;
    FabricBatch& fabric;
    Counts<Count>& counts;
    double near_m = 0;  ///< near radius of a client without a tally
    const Tick& next;   ///< the tick that is simulated next
    /// Stretch of update intervals that this worker's load asks for, at least 1.
    const float& least_stretch;
    /// Boxes around entities of a worker outside of its regions.
    std::function<std::span<const world::Bounds>(WorkerSlot)> outliers_of;
    /// Forwards a tally to the worker that the avatar was migrated to.
    std::function<void(const TallyRecord&)> forward;
  };
  explicit ObserverRecords(Needs needs) : needs_(std::move(needs)) {}

  void on_record(const ObserverRecord& record, WorkerSlot from);
  void on_tally(const TallyRecord& record);
  /// Puts records into force, and forgets observers of which no worker has sent a record for long.
  void settle(Tick now);
  /// Sends own players' records. The owner uses the same record that it sends to the others.
  void send(Tick now);
  /// Counts the cost of the observer here, for the worker with the avatar. All workers count at the
  /// same tick.
  void tally(ObserverState& state, Tick now);

  static void add_tally(ObserverState& state, const TallyRecord& record);
  /// Extrapolates between two records. All workers compute the same.
  static void see_from_record(ObserverState& state, Tick now);

 private:
  RateControl::Sent sent_in_last_second(ObserverState& own) const;
  replication::Choice choice_for(ObserverState& own, Tick now) const;
  void find_owners_near(const Vec3& position);
  bool has_outliers_near(WorkerSlot other, const Vec3& position) const;

  Needs needs_;
  std::vector<WorkerSlot> owners_near_;  ///< of regions near the record to be sent, ascending
};

}  // namespace perigee::worker
