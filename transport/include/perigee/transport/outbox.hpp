/// What a server says to the outside: datagrams, and questions to the store of used tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/assert.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::transport {

/// One handshake asks for its token's one session. The store grants a tag once: to the first
/// handshake that asks, and to that one again whenever it repeats itself (an answer got lost). It
/// refuses tokens with a smaller `issue` than the newest it granted to the same client.
struct ClaimRequest {
  std::uint64_t claim_id = 0;  ///< names the handshake; never reused by one Server
  Tag token_tag{};
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;          ///< ServerSettings::issue_of
  std::uint64_t expire_time_s = 0;  ///< of the token: until then the store has to remember
};

/// Where a state machine's datagrams and questions go.
class Outbox {
 public:
  virtual ~Outbox() = default;
  /// `datagram` is valid during the call only.
  virtual void send(const Address& to, std::span<const std::byte> datagram) = 0;
  /// With ServerSettings::claims only. The answer comes later: do not call the server from here.
  virtual void claim(const ClaimRequest&) {
    PERIGEE_ASSERT(false, "a server with claims needs an outbox that passes them on");
  }
};

}  // namespace perigee::transport
