/// Moves: a perigee client puts its session's number into its sequences, so the server identifies
/// the client at any address. Its packets from a new address count at once; the server sends there
/// only after the client has returned a number that was sent to that address. A copied packet or a
/// forged source address therefore never redirects a session's stream.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/connections.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/packet_sender.hpp"

namespace perigee::transport {

class AddressMoves {
 public:
  struct Needs {
    SipKey path_key;  ///< of the numbers that prove addresses
    Connections& connections;
    PacketSender& sender;
    Counts<Drop>& drops;
  };
  explicit AddressMoves(const Needs& needs) : needs_(needs) {}

  /// The newest genuine packet of that connection came from an address that is not the
  /// connection's.
  void on_other_path(Micros now_us, std::uint32_t slot, const Address& from, PacketType type,
                     std::span<const std::byte> body);

 private:
  std::uint32_t path_challenge(const Connection& connection, const Address& from) const;

  Needs needs_;
};

}  // namespace perigee::transport
