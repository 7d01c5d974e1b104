/// Injects faults into a virtual cluster: processes that die or stand still, network cuts, clocks
/// that are off, a store that fails.
#pragma once

#include <cstddef>

#include "perigee/lab/fabric.hpp"
#include "perigee/lab/gateway_host.hpp"
#include "perigee/lab/heartbeats.hpp"
#include "perigee/lab/map_spreader.hpp"
#include "perigee/lab/mishaps.hpp"
#include "perigee/lab/virtual_players.hpp"
#include "perigee/lab/worker_starter.hpp"
#include "perigee/lab/world_store_access.hpp"

namespace perigee::lab {

class FaultInjector {
 public:
  struct Needs {
    EventQueue& queue;
    Net& net;
    Fabric& fabric;
    DirectoryHost& directory;
    GatewayHost& gateway;
    WorkerProcesses& processes;
    WorldStoreAccess& store;
    VirtualPlayers& players;
    WorkerStarter& starter;
    MapSpreader& maps;
    Heartbeats& heartbeats;
  };
  explicit FaultInjector(Needs needs);

  // As in VirtualCluster.
  void suffer(const Mishap& mishap);
  void restart_gateway(Micros away_us);
  void restart_worker(std::size_t index, Micros away_us);
  void kill_worker(std::size_t index) { needs_.processes.end(index); }
  void kill_worker_within_tick(std::size_t index, std::size_t reported);
  void pause_worker(std::size_t index, Micros us);
  void restart_everything(Micros away_us);

 private:
  void kill_for_a_while(const Mishap& mishap);
  void start_when_received(std::size_t index);
  void drain(std::size_t index, Micros away_us);
  void start_once_ended(std::size_t index, Micros away_us);
  void restart_directory(Micros away_us);
  void set_clock_ahead(std::size_t index, Micros ahead_us, Micros us);
  void cut(Party a, Party b, Micros us);
  void slow_down(const Mishap& mishap);
  void move_region(std::size_t nth, std::size_t to);

  Needs needs_;
};

}  // namespace perigee::lab
