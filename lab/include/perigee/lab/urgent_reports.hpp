/// The urgent reports of the workers of a virtual cluster: a worker that suspects another one
/// reports that to the directory. The directory probes the suspect and may declare it dead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/worker_processes.hpp"

namespace perigee::lab {

class UrgentReports {
 public:
  struct Needs {
    EventQueue& queue;
    const Net& net;
    DirectoryHost& directory;
    WorkerProcesses& processes;
    std::function<void()> map_changed;
  };
  explicit UrgentReports(Needs needs);

  /// A process has started. It has no report on its way.
  void on_start(std::size_t index);
  /// One report follows soon, however often this function is called until then.
  void request(std::size_t index);

 private:
  void send(std::size_t index, std::uint64_t incarnation);
  void judge(const WorkerIncarnation& suspect);

  Needs needs_;
  std::vector<bool> requested_;  ///< by worker
};

}  // namespace perigee::lab
