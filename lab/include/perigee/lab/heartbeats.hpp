/// The heartbeats of the processes of a virtual cluster, and the workers' reports that go with
/// them. A worker that is not registered any more starts another incarnation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/fabric_seals.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/lab/worker_ticks.hpp"

namespace perigee::lab {

class Heartbeats {
 public:
  struct Needs {
    EventQueue& queue;
    DirectoryHost& directory;
    WorkerProcesses& processes;
    WorkerTicks& ticks;
    bool store = false;  ///< workers without a world may wait for a checkpoint
    std::function<bool()> gateway_runs;
    std::function<void(std::size_t)> start_worker;
    std::function<void()> map_changed;
    FabricSeals* seals = nullptr;  ///< null: the fabric is plain
  };
  explicit Heartbeats(Needs needs);

  /// All processes send their heartbeats, now and every second.
  void second();
  /// A worker that had stalled sends its heartbeat, if this incarnation still runs.
  void wake_up(std::size_t index, std::uint64_t incarnation);
  /// Heartbeats of all running workers of the map, a little later than other events of this time.
  void all_workers();

 private:
  void report(std::size_t index);
  WorkerReport full_report(std::size_t index);
  void leave_if_done(std::size_t index, const WorkerReport& report);
  void beat_of_gateway();
  void begin_another_incarnation(std::size_t index);

  Needs needs_;
};

}  // namespace perigee::lab
