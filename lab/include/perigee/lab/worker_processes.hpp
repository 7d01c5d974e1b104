/// The worker processes of a virtual cluster: which of them run, stand still, or have ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/lab/event_queue.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::lab {

/// Thrown by a game: the worker process that runs the game ends there, in the middle of its work.
struct ProcessCrash {};

/// A worker's name, and the process under that name.
struct WorkerProcess {
  std::unique_ptr<worker::Core> core;  ///< none while no process runs
  Address fabric;
  std::uint64_t incarnation = 0;  ///< increases with each process under its name
  WorkerSlot slot;
  HandleBase handle_base;
  Micros ahead_us = 0;  ///< relative to the directory's clock
  Micros stands_still_until_us = 0;
  bool in_tick = false;
  Micros tick_us = 0;  ///< duration of the running tick
  /// The process dies in its next tick, after messages to this many other workers.
  std::optional<std::size_t> dies_sending;
  bool leaving = false;
  std::uint64_t left = 0;  ///< the incarnation that was the last to end because it had drained
  bool held = false;       ///< dead by the map: it waits for another incarnation
  std::uint64_t map_version = 0;            ///< received
  std::map<WorkerSlot, Incarnation> knows;  ///< living incarnations by that map
};

class WorkerProcesses {
 public:
  /// The queue must outlive this object.
  explicit WorkerProcesses(const EventQueue& queue) : queue_(queue) {}

  /// Called when a process ends, if set: before its core is destroyed, and afterwards.
  std::function<void(const worker::Core&)> before_end;
  std::function<void(std::size_t)> after_end;

  /// Adds a name without a process. Returns its index.
  std::size_t add();
  std::size_t size() const { return all_.size(); }
  /// The object does not move in memory.
  WorkerProcess& operator[](std::size_t index) { return *all_[index]; }
  const WorkerProcess& operator[](std::size_t index) const { return *all_[index]; }

  bool runs(std::size_t index) const { return all_[index]->core != nullptr; }
  bool runs(std::size_t index, std::uint64_t incarnation) const {
    return runs(index) && all_[index]->incarnation == incarnation;
  }
  bool stands_still(std::size_t index) const {
    return queue_.now_us() < all_[index]->stands_still_until_us;
  }
  Micros clock_us(std::size_t index) const { return queue_.now_us() + all_[index]->ahead_us; }
  /// Both run, and each knows the other's incarnation.
  bool know_each_other(std::size_t a, std::size_t b) const;

  /// Runs `work` in the process. False: the process has ended.
  bool survives(std::size_t index, const std::function<void(worker::Core&)>& work);
  void end(std::size_t index);

 private:
  const EventQueue& queue_;
  std::vector<std::unique_ptr<WorkerProcess>> all_;
};

}  // namespace perigee::lab
