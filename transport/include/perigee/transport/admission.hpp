/// Decides which handshakes may become connections, and makes them connections.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/counts.hpp"
#include "perigee/transport/connections.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/packet_sender.hpp"

namespace perigee::transport {

class Admission {
 public:
  struct Needs {
    HandshakeTable& handshakes;
    Connections& connections;
    PacketSender& sender;
    Counts<Drop>& drops;
  };
  explicit Admission(Needs needs) : needs_(needs) {}

  /// The reason why this client may not connect from this address now, if there is one.
  std::optional<Drop> refusal(const Address& from, std::uint64_t client_id,
                              std::uint64_t issue) const;
  /// Whether there is no slot for a new handshake of this client. A slot is reserved for each
  /// pending claim: a granted token must not end in a `denied`.
  bool full_for(std::uint64_t client_id) const;
  /// Whether there is no slot for a handshake of this client with a granted claim.
  bool full_for_granted(std::uint64_t client_id) const;
  /// Answers that the server is full.
  void deny(const Handshake& handshake);
  /// Consumes the token and opens a connection. An older connection of the client is replaced. A
  /// slot must be free.
  void establish(Micros now_us, const Handshake& handshake);

 private:
  Needs needs_;
};

}  // namespace perigee::transport
