/// Keeps both sides of the worst correction of a virtual cluster.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/lab/event_queue.hpp"
#include "perigee/lab/virtual_parts.hpp"
#include "perigee/lab/worker_processes.hpp"

namespace perigee::lab {

class FlightKeeper {
 public:
  /// Both must outlive this object.
  FlightKeeper(EventQueue& queue, const WorkerProcesses& processes)
      : queue_(queue), processes_(processes) {}

  /// Both sides of the player's last seconds, as of now; none without recorders.
  std::optional<Flight> flight(const VirtualPlayer& player) const;
  /// The player has just displayed a correction. If this is the worst so far, both sides are kept
  /// half a second later. The object `player` must not move in memory.
  void on_correction(const VirtualPlayer& player);
  const std::optional<Flight>& worst() const { return worst_; }
  void forget();

 private:
  EventQueue& queue_;
  const WorkerProcesses& processes_;
  std::optional<Flight> worst_;
  double worst_m_ = 0;
};

}  // namespace perigee::lab
