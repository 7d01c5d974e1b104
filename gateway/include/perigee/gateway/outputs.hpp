/// Output of the gateway's core to its owner: datagrams, telemetry, and requests to the session
/// service.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/techniques.hpp"
#include "perigee/base/telemetry.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/outbox.hpp"

namespace perigee::gateway {

/// How a session ended, for the session service.
enum class Release : std::uint8_t { Left, Lost };

/// Outgoing datagrams, client telemetry, and requests to the session service, which are answered
/// later. All spans are valid during the call only.
class Outputs {
 public:
  virtual ~Outputs() = default;
  virtual void to_client(const Address& to, std::span<const std::byte> datagram) = 0;
  /// A client behind a door, at the path from which its datagrams came. Only with
  /// CoreSettings::door_keys.
  virtual void to_door(const Address& /*path*/, std::span<const std::byte> /*datagram*/) {
    PERIGEE_ASSERT(false, "a gateway with a door key must override to_door()");
  }
  virtual void to_fabric(const Address& to, std::span<const std::byte> datagram) = 0;
  virtual void on_telemetry(const Telemetry&) {}  ///< optional
  /// A block of the avatar's owner, with the tick in its header, is being sent to the client.
  virtual void on_own_block(Tick, Micros /*received_us*/, Micros /*sent_us*/) {}
  /// Only with CoreSettings::transport.claims. Answered by Core::on_claim().
  virtual void claim(const transport::ClaimRequest&) {
    PERIGEE_ASSERT(false, "a gateway with claims must override claim()");
  }
  /// Requests a token for every player, and again for renewal. Answered by Core::on_resume_token(),
  /// or not at all.
  virtual void want_resume_token(std::uint64_t /*client_id*/) {}
  /// A worker has the avatar of a client that had none. Optional.
  virtual void joined(std::uint64_t /*client_id*/) {}
  /// `issue`: of the token of the connection that ended.
  virtual void released(std::uint64_t /*client_id*/, std::uint64_t /*issue*/, Release) {}
  /// The techniques that a client uses after it has received this order and all before it.
  virtual void on_techniques(std::uint64_t /*client_id*/, std::uint64_t /*order_id*/,
                             const Techniques&) {}
};

}  // namespace perigee::gateway
