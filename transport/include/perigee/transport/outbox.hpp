/// The output of a server: datagrams, and requests to the store of used tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::transport {

/// A handshake claims its token's one session. The store grants a tag once: to the first handshake
/// that claims it, and again to the same handshake when that one repeats the claim because the
/// answer was lost. The store refuses tokens with a smaller `issue` than the newest that it granted
/// to the same client.
struct ClaimRequest {
  std::uint64_t claim_id = 0;  ///< identifies the handshake; never reused by one Server
  Tag token_tag{};
  std::uint64_t client_id = 0;
  std::uint64_t issue = 0;          ///< ServerSettings::issue_of
  std::uint64_t expire_time_s = 0;  ///< of the token: the store must remember it until then
};

/// Destination of a state machine's datagrams and claims.
class Outbox {
 public:
  virtual ~Outbox() = default;
  /// `datagram` is valid during the call only.
  virtual void send(const Address& to, std::span<const std::byte> datagram) = 0;
  /// Called only with ServerSettings::claims. The answer comes later: do not call the server from
  /// here.
  virtual void claim(const ClaimRequest&) {
    PERIGEE_ASSERT(false, "a server with claims needs an outbox that overrides claim()");
  }
};

}  // namespace perigee::transport
