/// Seals the packets of a server and sends them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/connections.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/outbox.hpp"
#include "perigee/transport/packets.hpp"

namespace perigee::transport {

class PacketSender {
 public:
  struct Needs {
    Outbox& outbox;
    std::uint64_t protocol_id;
    std::uint32_t clients_max;     ///< as keep-alives say
    std::uint16_t gateway_number;  ///< unique among servers sharing the key
  };
  explicit PacketSender(Needs needs);

  void send(Micros now_us, Connection& to, PacketType type, std::span<const std::byte> body) {
    to.last_sent_us = now_us;
    send_at(to.address, to, type, body);
  }
  /// To another address of the client.
  void send_at(const Address& address, Connection& to, PacketType type,
               std::span<const std::byte> body);
  void send_keep_alive(Micros now_us, Connection& to);
  void send_goodbye(Micros now_us, Connection& to);
  /// To an address without a connection.
  void send_global(const Address& to, const Key& key, PacketType type,
                   std::span<const std::byte> body);

 private:
  Needs needs_;
  std::uint64_t global_sequence_;
  std::array<std::byte, datagram_bytes_max> out_{};
};

}  // namespace perigee::transport
