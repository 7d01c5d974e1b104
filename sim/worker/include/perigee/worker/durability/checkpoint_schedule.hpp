/// Decides when a checkpoint is taken, and by which workers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/durability/checkpoint.hpp"

namespace perigee::worker {

class CheckpointSchedule {
 public:
  /// No checkpoint begins until the set of workers has been unchanged for this long: a worker
  /// missing from the list of parts would be missing from the checkpoint.
  static constexpr std::int32_t same_workers_ticks = 300;

  explicit CheckpointSchedule(const ClusterView& cluster) : cluster_(cluster) {}

  void on_map();
  /// Whether a checkpoint is taken at that tick: all regions have an owner, and the set of workers
  /// has been stable for so long that all workers know it.
  bool due(Tick at);
  /// For a worker without a world: the tick of a checkpoint that has become due by `now`.
  std::optional<Tick> idle(Tick now);
  /// The workers that take part.
  std::vector<WorkerSlot> slots() const;
  /// Called at each kept_ticks_turn(), so that old ticks stay comparable.
  void keep_ticks(Tick now);

 private:
  const ClusterView& cluster_;
  std::vector<WorkerEntry> workers_;  ///< alive ones
  std::optional<Tick> same_since_, idle_at_;
};

}  // namespace perigee::worker
