/// The full players of a virtual cluster: their frames, datagrams, and oracles.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "perigee/lab/flight_keeper.hpp"
#include "perigee/lab/player_machines.hpp"

namespace perigee::lab {

class VirtualPlayers {
 public:
  struct Needs {
    EventQueue& queue;
    const ClusterOptions& options;
    const world::GameModule& game;  ///< of the workers
    PlayerMachines& machines;
    FlightKeeper& flights;
    /// Called after each frame, and for each datagram on the way to the gateway, if set.
    const std::function<void(VirtualPlayer&)>& after_frame;
    const std::function<void(const VirtualPlayer&, LinkSimulator::Fate&)>& on_way_up;
  };
  explicit VirtualPlayers(const Needs& needs) : needs_(needs) {}

  /// All players; each logs in within half a second.
  void start(const Pilot& pilot);
  /// These objects do not move in memory.
  std::vector<VirtualPlayer>& all() { return all_; }
  const std::vector<VirtualPlayer>& all() const { return all_; }

  /// False: not possible now.
  bool log_in(std::size_t number);
  /// Disconnects like a quitting player.
  void quit(std::size_t number);
  /// A datagram of the gateway; ignored if it is for another machine.
  void send_down(const Address& to, std::span<const std::byte> bytes);

  /// A worker has simulated a tick: compares its final states with the clients' displayed ones.
  void after_tick(const worker::Core& core);
  /// The worker's process ends.
  void forget(const worker::Core& core);

 private:
  void frame(std::size_t number);
  void send_up(VirtualPlayer& player);
  void receive(VirtualPlayer& player, std::span<std::byte> data);

  Needs needs_;
  std::vector<VirtualPlayer> all_;
};

}  // namespace perigee::lab
