/// The part of a virtual cluster that does not depend on the kind of a player's client: set-up of
/// the machine, clocks and frames, log-ins, and datagrams on their way.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "perigee/lab/directory_host.hpp"
#include "perigee/lab/gateway_host.hpp"
#include "perigee/lab/player_machine.hpp"
#include "perigee/lab/session_host.hpp"
#include "perigee/lab/virtual_parts.hpp"

namespace perigee::lab {

class PlayerMachines {
 public:
  struct Needs {
    EventQueue& queue;
    const ClusterOptions& options;
    const DirectoryHost& directory;
    SessionHost& sessions;
    GatewayHost& gateway;
  };
  explicit PlayerMachines(const Needs& needs) : needs_(needs) {}

  /// Makes this the machine with the number. Returns the time until its player logs in first:
  /// within half a second.
  Micros set_up(PlayerMachine& machine, std::uint32_t number) const;
  /// The number of the machine that has the address.
  static std::uint32_t number_at(const Address& address);

  /// The machine's own clock.
  Micros local_us(const PlayerMachine& machine) const;
  /// Time from this frame to the next one. A hitch is due now and then.
  Micros frame_pause_us(PlayerMachine& machine) const;
  /// Opens a session: the token for the client. None: not possible now.
  std::optional<transport::ConnectToken> log_in(PlayerMachine& machine);
  /// Whether to log in now, for a player that wants to continue after the end of its client. Asked
  /// once per frame.
  bool logs_in_again(PlayerMachine& machine, transport::ClientState client,
                     bool path_is_usable) const;

  /// A datagram of the client, on its way to the gateway with this fate.
  void send_up(const PlayerMachine& machine, const LinkSimulator::Fate& fate,
               std::span<const std::byte> bytes);
  /// A datagram of the gateway. `receive` is called for each copy that arrives. The object
  /// `machine` must not move in memory.
  void send_down(PlayerMachine& machine, std::span<const std::byte> bytes,
                 const std::function<void(std::span<std::byte>)>& receive);

 private:
  Needs needs_;
};

}  // namespace perigee::lab
