/// The packets of handshakes: request -> challenge, response -> connection, or a claim before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/admission.hpp"
#include "perigee/transport/backend_keys.hpp"
#include "perigee/transport/challenges.hpp"
#include "perigee/transport/connections.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/packet_sender.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/sender.hpp"
#include "perigee/transport/server_settings.hpp"
#include "perigee/transport/token_claims.hpp"
#include "perigee/transport/work_limits.hpp"

namespace perigee::transport {

class HandshakePackets {
 public:
  struct Needs {
    const ServerSettings& settings;
    const BackendKeys& keys;
    WorkLimits& work_limits;
    Challenges& challenges;
    HandshakeTable& handshakes;
    const Connections& connections;
    Admission& admission;
    TokenClaims& claims;
    PacketSender& sender;
    Counts<Drop>& drops;
  };
  explicit HandshakePackets(Needs needs) : needs_(needs) {}

  // Datagrams are decrypted in place.
  void on_request(Micros now_us, std::uint64_t unix_s, const Sender& from,
                  std::span<std::byte> datagram);
  void on_response(Micros now_us, const Sender& from, const PacketHead& head,
                   std::span<std::byte> datagram);

 private:
  std::optional<Drop> refusal_unopened(Micros now_us, std::uint64_t unix_s, const Sender& from,
                                       const RequestPacket& request);

  Needs needs_;
};

}  // namespace perigee::transport
