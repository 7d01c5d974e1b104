/// The thin players of a virtual cluster: they log in, send inputs and acknowledge blocks as full
/// players do, but have no scene and no oracle. For clusters of thousands.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perigee/lab/player_machines.hpp"

namespace perigee::lab {

class ThinPlayers {
 public:
  struct Needs {
    EventQueue& queue;
    const ClusterOptions& options;
    const world::GameModule& game;  ///< of the workers
    PlayerMachines& machines;
  };
  explicit ThinPlayers(const Needs& needs) : needs_(needs) {}

  /// All thin players; each logs in within half a second. Their machines' numbers follow those of
  /// the full players.
  void start();
  /// These objects do not move in memory.
  std::vector<ThinPlayer>& all() { return all_; }
  const std::vector<ThinPlayer>& all() const { return all_; }

  /// False: not possible now.
  bool log_in(std::size_t number);
  /// A datagram of the gateway; ignored if it is for another machine.
  void send_down(const Address& to, std::span<const std::byte> bytes);

 private:
  void frame(std::size_t number);
  void send_up(ThinPlayer& player);

  Needs needs_;
  std::vector<ThinPlayer> all_;
};

}  // namespace perigee::lab
