/// The server side of netcode 1.02 as a state machine: datagrams and time in, datagrams and events
/// out. It also closes gaps of the standard, invisibly to third-party clients: second use of a
/// token, challenges of other clients, copied requests that lock the owner out, crashed clients
/// that cannot reconnect.
///
/// With claims, a token opens one session among all servers that share a key, across restarts. On a
/// valid response the server assigns no slot yet, but calls Outbox::claim(). The owner asks the
/// store of used tokens, and passes the store's answer to on_claim().
///
/// A perigee client may change its address: each of its sequences contains its session's number,
/// and the server moves the session once the client has answered from the new address.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/address_moves.hpp"
#include "perigee/transport/admission.hpp"
#include "perigee/transport/backend_keys.hpp"
#include "perigee/transport/challenges.hpp"
#include "perigee/transport/connections.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/handshake_packets.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/outbox.hpp"
#include "perigee/transport/packet_sender.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/sender.hpp"
#include "perigee/transport/server_events.hpp"
#include "perigee/transport/server_settings.hpp"
#include "perigee/transport/token_claims.hpp"
#include "perigee/transport/work_limits.hpp"

namespace perigee::transport {

struct ReceivedPayload {
  std::uint32_t slot = 0;
  std::uint64_t sequence = 0;
  std::span<const std::byte> bytes;  ///< inside the datagram that was passed in
};

class Server {
 public:
  /// Allocates all memory. `random` is used in the constructor only: for challenge and binding keys
  /// and the table salt.
  Server(const ServerSettings& settings, const RandomBytes& random, Outbox& outbox);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Handles one datagram, decrypting it in place. Returns the payload if the datagram is one of a
  /// connected client. Drain take_event() after this, advance() and disconnect().
  std::optional<ReceivedPayload> receive(Micros now_us, std::uint64_t unix_s, const Sender& from,
                                         std::span<std::byte> datagram);
  /// Sends keep-alives and checks timeouts. Calls before the end of the period return at once.
  void advance(Micros now_us, std::uint64_t unix_s);
  /// Sends 1..1200 bytes to a connected client and returns their sequence.
  std::uint64_t send_payload(Micros now_us, std::uint32_t slot, std::span<const std::byte> bytes);
  void disconnect(Micros now_us, std::uint32_t slot);
  /// Time of the last genuine packet from that client.
  Micros received_us(std::uint32_t slot) const { return connections_[slot].last_received_us; }
  /// Applies from now on. Sessions stay; handshakes with tokens of a removed key end at their next
  /// request.
  void set_keys(const Key& current, const std::optional<Key>& previous) {
    backend_keys_.set(current, previous);
  }
  using ClaimAnswer = transport::ClaimAnswer;
  /// The store's answer. Refused is final for the token. If the store could not be asked, do not
  /// call this: the handshake then times out. Answers to handshakes that no longer exist are
  /// ignored. Drain take_event() after this.
  void on_claim(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer) {
    claims_.on_answer(now_us, claim_id, answer);
  }
  /// Refuses the pending claims of that client. The store's later answers have no effect.
  void refuse_claims(std::uint64_t client_id) { claims_.refuse_client(client_id); }
  std::optional<ServerEvent> take_event() { return events_.take(); }

  bool connected(std::uint32_t slot) const { return connections_[slot].used; }
  const Address& address(std::uint32_t slot) const { return connections_[slot].address; }
  std::uint32_t clients() const { return connections_.clients(); }
  std::uint32_t clients_max() const { return settings_.clients_max; }
  std::uint32_t handshakes() const { return static_cast<std::uint32_t>(handshakes_.size()); }
  std::uint32_t claims_pending() const { return handshakes_.claims_pending(); }
  const Counts<Drop>& drops() const { return drops_; }

 private:
  /// Everything that is drawn at random, in the order of the draws.
  struct Secrets {
    Key challenge_key;
    Key binding_key;
    SipKey path_key;
    std::uint64_t salt;
    SipKey number_key;
  };
  static Secrets draw(const RandomBytes& random);
  Server(const ServerSettings& settings, const Secrets& secrets, Outbox& outbox);

  /// Without claims the calendar never goes back: tokens removed from the history must stay
  /// expired.
  void set_calendar(std::uint64_t unix_s) {
    unix_s_ = settings_.claims ? unix_s : std::max(unix_s_, unix_s);
  }
  std::nullopt_t drop(Drop reason) {
    drops_.add(reason);
    return std::nullopt;
  }
  std::optional<ReceivedPayload> on_packet(Micros now_us, std::uint32_t slot, const Address& from,
                                           const PacketHead& head, std::span<std::byte> datagram);

  ServerSettings settings_;
  Counts<Drop> drops_;
  ServerEvents events_;
  BackendKeys backend_keys_;
  WorkLimits work_limits_;
  Challenges challenges_;
  HandshakeTable handshakes_;
  Connections connections_;
  PacketSender sender_;
  Admission admission_;
  TokenClaims claims_;
  HandshakePackets handshake_packets_;
  AddressMoves moves_;
  std::uint64_t unix_s_ = 0;
  Micros next_advance_us_ = 0;
  Micros next_sweep_us_ = 0;
};

}  // namespace perigee::transport
