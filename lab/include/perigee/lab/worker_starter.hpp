/// Starts the worker processes of a virtual cluster: registers each one and connects its outputs.
#pragma once

#include <cstddef>
#include <functional>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/fabric.hpp"
#include "perigee/lab/urgent_reports.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/lab/worker_ticks.hpp"
#include "perigee/lab/world_store_access.hpp"

namespace perigee::lab {

class WorkerStarter {
 public:
  struct Needs {
    const EventQueue& queue;
    const worker::Settings& settings;
    const world::GameModule& game;
    DirectoryHost& directory;
    WorkerProcesses& processes;
    WorldStoreAccess& store;
    Fabric& fabric;
    WorkerTicks& ticks;
    UrgentReports& reports;
    /// Called with the crash report that a standby writes for a dead worker's players, if set.
    const std::function<void(const replay::CrashReport&)>& on_crash_report;
    FabricSeals* seals = nullptr;  ///< null: the fabric is plain
  };
  explicit WorkerStarter(Needs needs) : needs_(needs) {}

  /// Starts a new incarnation with a slot. The next map gives it its regions.
  void start(std::size_t index);
  /// Starts a worker under a new name. Returns its index.
  std::size_t start_another();

 private:
  void introduce(std::size_t index);
  void connect(std::size_t index);

  Needs needs_;
};

}  // namespace perigee::lab
