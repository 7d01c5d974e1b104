/// The ticks of the workers of a virtual cluster: their times, their cost, and the rate of world
/// time that follows from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/fabric.hpp"
#include "perigee/lab/virtual_parts.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/worker/tick/tick_budget.hpp"

namespace perigee::lab {

class WorkerTicks {
 public:
  struct Needs {
    EventQueue& queue;
    const ClusterOptions& options;
    const DirectoryHost& directory;  ///< world time
    WorkerProcesses& processes;
    Fabric& fabric;
    ServerStages& stages;
    /// Called before each tick, if set; may end the process.
    const std::function<void(worker::Core&)>& before_tick;
    std::function<void(worker::Core&)> after_tick;
  };
  explicit WorkerTicks(Needs needs);

  /// A process has started. It does not tick yet.
  void on_start(std::size_t index);
  /// The process ticks from now on.
  void begin(std::size_t index);
  bool ticks(std::size_t index) const { return loads_[index].ticks; }
  /// How far the worker's next tick is behind world time.
  Micros late_us(std::size_t index) const;

  const worker::TickBudget& budget(std::size_t index) const { return loads_[index].budget; }
  struct Spent {
    std::optional<double> load_ms;  ///< of a tick; none without ticks, or if ticks cost nothing
    double pace_ms = 0;             ///< from tick to tick
  };
  /// Since the last call.
  Spent take_spent(std::size_t index);

 private:
  struct Load {
    bool ticks = false;
    worker::TickBudget budget;
    Micros busy_until_us = 0;
    Micros spent_us = 0;  ///< by these ticks, since the last report:
    std::uint32_t spent_ticks = 0;
    Micros counted_from_us = 0;  ///< start of the first of them
  };
  void await(std::size_t index);
  void tick(std::size_t index, std::uint64_t incarnation);
  void bear_cost(std::size_t index);

  Needs needs_;
  std::deque<Load> loads_;  ///< by worker; elements stay where they are
};

}  // namespace perigee::lab
