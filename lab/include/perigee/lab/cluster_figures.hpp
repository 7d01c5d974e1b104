/// The measurements of a virtual cluster since the end of its warm-up.
#pragma once

#include <cstdint>

#include "perigee/lab/flight_keeper.hpp"
#include "perigee/lab/player_figures.hpp"
#include "perigee/lab/thin_players.hpp"
#include "perigee/lab/virtual_players.hpp"
#include "perigee/lab/worker_processes.hpp"

namespace perigee::lab {

class ClusterFigures {
 public:
  struct Needs {
    const EventQueue& queue;
    const WorkerProcesses& processes;
    VirtualPlayers& players;
    const ThinPlayers& thin_players;
    ServerStages& stages;
    FlightKeeper& flights;
  };
  explicit ClusterFigures(Needs needs) : needs_(needs) {}

  void restart();
  /// Over all full players, since restart().
  PlayerFigures sum() const;
  /// Actor ticks that the workers ran again since restart().
  std::uint64_t rolled_back() const { return rollback_ticks() - rollback_ticks_before_; }
  /// Players that play now, thin ones included.
  std::uint32_t playing() const;
  /// Of the states of all workers and clients.
  std::uint64_t hash() const;

 private:
  std::uint64_t rollback_ticks() const;

  Needs needs_;
  std::uint64_t rollback_ticks_before_ = 0;
};

}  // namespace perigee::lab
