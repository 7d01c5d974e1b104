/// Spreads the cluster map to the processes of a virtual cluster, and makes workers adopt it.
#pragma once

#include <cstddef>
#include <functional>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/fabric_seals.hpp"
#include "perigee/lab/random_stream.hpp"
#include "perigee/lab/worker_processes.hpp"
#include "perigee/lab/world_store_access.hpp"

namespace perigee::lab {

class MapSpreader {
 public:
  struct Needs {
    EventQueue& queue;
    RandomStream& random;
    const DirectoryHost& directory;
    WorkerProcesses& processes;
    WorldStoreAccess& store;
    Micros late_us_max = 0;  ///< maximum delay of a map, if no other is given
    std::function<void(const ClusterMap&)> to_gateway;
    /// The worker has a world, and ticks from now on.
    std::function<void(std::size_t)> begin_ticks;
    FabricSeals* seals = nullptr;  ///< null: the fabric is plain
  };
  explicit MapSpreader(Needs needs);

  /// Each process receives the map after a random delay, unless the net is cut.
  void spread(Micros late_us_max);
  void spread() { spread(needs_.late_us_max); }
  void send(Party whom, Micros late_us_max);

 private:
  void deliver(Party whom, const ClusterMap& map);
  void adopt(std::size_t index, const ClusterMap& map);
  bool is_its_incarnation(std::size_t index, const ClusterMap& map);
  void load_world(std::size_t index);

  Needs needs_;
};

}  // namespace perigee::lab
