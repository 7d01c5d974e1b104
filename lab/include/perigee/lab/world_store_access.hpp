/// The world store of a virtual cluster, as its workers use it: writes happen in order and with a
/// delay, while the store works. A cluster may have no store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/world_keeper/keeper.hpp"

namespace perigee::lab {

class WorldStoreAccess {
 public:
  struct Needs {
    EventQueue& queue;
    WorkerProcesses& processes;
    const world::GameModule& game;
    std::optional<Micros> delay_us;  ///< of a write; none: there is no store
    /// Called once an outcome is durable, if set.
    const std::function<void(const world::JournalEntry&)>& after_stored;
  };
  explicit WorldStoreAccess(Needs needs);

  bool exists() const { return keeper_ != nullptr; }
  /// Only if the cluster has a store.
  world_store::Store& store() { return *store_; }
  Micros delay_us() const { return *delay_us_; }

  /// Failures may overlap.
  void begin_failure() { ++failures_; }
  void end_failure() { --failures_; }
  /// Ends all failures, or begins one.
  void let_work(bool works) { failures_ = works ? 0 : 1; }
  bool works() const { return failures_ == 0; }

  /// Connects a process that has just started. `map`: with the entry of its incarnation.
  void connect(std::size_t index, const ClusterMap& map);
  /// A worker that learns of an ended incarnation fences that incarnation, so that it can write
  /// nothing any more.
  void fence_the_dead(std::size_t index, const ClusterMap& map);
  /// Gives the last checkpoint to a worker that waits for it. Its world begins at `start`.
  void restore(std::size_t index, const ClusterMap& map, Tick start);

 private:
  struct Writer {
    world_keeper::Self self;
    std::deque<std::function<void()>> waiting;
    std::vector<FailoverRecord> failover_records;  ///< of the last map that was fenced
  };
  void write_soon(std::size_t index, std::function<void()> work);
  void write_one(std::size_t index, std::uint64_t incarnation);

  EventQueue& queue_;
  WorkerProcesses& processes_;
  std::optional<Micros> delay_us_;
  const std::function<void(const world::JournalEntry&)>& after_stored_;
  std::unique_ptr<world_store::Store> store_;
  std::unique_ptr<world_keeper::Keeper> keeper_;
  int failures_ = 0;            ///< number of overlapping failures
  std::deque<Writer> writers_;  ///< by worker; elements stay where they are
};

}  // namespace perigee::lab
