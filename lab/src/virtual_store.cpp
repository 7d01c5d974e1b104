// The virtual cluster's world store: writes happen in order and with a delay, while it works.
#include <array>
#include <utility>

#include "perigee/lab/virtual_cluster.hpp"

namespace perigee::lab {

// Results are reported only to the process that asked.
void VirtualCluster::store_soon(std::size_t index, std::function<void()> work) {
  Worker& worker = *workers_[index];
  worker.to_store.push_back(std::move(work));
  queue_.after(*options_.world_store_us,
               [this, index, incarnation = worker.incarnation] { store_one(index, incarnation); });
}

void VirtualCluster::store_one(std::size_t index, std::uint64_t incarnation) {
  Worker& worker = *workers_[index];
  if (!worker.core || worker.incarnation != incarnation) return;
  if (store_failures_ > 0 || stands_still(worker)) {
    return queue_.after(*options_.world_store_us,
                        [this, index, incarnation] { store_one(index, incarnation); });
  }
  const auto work = std::move(worker.to_store.front());
  worker.to_store.pop_front();
  work();
}

void VirtualCluster::connect_store(std::size_t index) {
  if (!keeper_) return;
  Worker* worker = workers_[index].get();
  const WorkerEntry& entry = directory_->map().workers[index];
  worker->self = {directory_->map().cluster_id, entry.slot, entry.incarnation};
  worker->to_store.clear();
  PERIGEE_ASSERT(keeper_->begin(worker->self).ok(), "the store must belong to this world");
  worker->core->outputs.to_store = [this, index, worker](const worker::OutcomeRow& row) {
    store_soon(index, [this, worker, row] {
      const auto became = keeper_->append(worker->self, std::array{row});
      PERIGEE_ASSERT(became.ok(), "a store in memory must not fail");
      if (after_stored && became->front() == worker::Journalled::Stands) after_stored(row.entry);
      worker->core->on_stored(row.number, became->front());
    });
  };
  worker->core->outputs.to_checkpoint = [this, index, worker](worker::CheckpointPart part) {
    store_soon(index, [this, worker, part = std::move(part)] {
      PERIGEE_ASSERT(keeper_->write(worker->self, part).ok(), "a store in memory must not fail");
    });
  };
}

/// A worker that learns of an ended incarnation fences it, so that it can write nothing any more.
void VirtualCluster::fence_the_dead(std::size_t index, const ClusterMap& map) {
  Worker& worker = *workers_[index];
  if (!keeper_ || worker.failover_records == map.failover_records) return;
  worker.failover_records = map.failover_records;
  store_soon(index, [this, self = worker.self, map] {
    PERIGEE_ASSERT(keeper_->fence(self, map).ok(), "a store in memory must not fail");
  });
}

void VirtualCluster::load_world(std::size_t index) {
  Worker& worker = *workers_[index];
  if (!worker.core->awaits_checkpoint()) return;
  if (store_failures_ > 0) {
    return queue_.after(*options_.world_store_us, [this, index, incarnation = worker.incarnation] {
      if (workers_[index]->core && workers_[index]->incarnation == incarnation)
        adopt_map(index, map());
    });
  }
  const auto checkpoint = keeper_->load(worker.self, map());
  PERIGEE_ASSERT(checkpoint.ok(), "a written checkpoint must be readable");
  worker.core->restore(*checkpoint, tick_at(map().time, clock_us(worker)) + 2);
}

}  // namespace perigee::lab
