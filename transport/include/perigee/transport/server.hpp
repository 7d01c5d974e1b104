/// The server side of netcode 1.02 as a state machine: datagrams and time in, datagrams and events
/// out. Invisibly to third-party clients it closes gaps of the standard: second use of a token,
/// challenges of other clients, copied requests that lock the owner out, crashed clients that
/// cannot reconnect.
///
/// With claims, a token opens one session among all servers that share a key, across restarts: on a
/// valid response the server does not assign a slot but calls Outbox::claim(); the owner asks the
/// store of used tokens, and passes the store's answer to on_claim().
///
/// A perigee client may change its address: each of its sequences contains its session's number,
/// and the server moves the session once the client has answered from the new address.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/rate_table.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/challenge.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/outbox.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/replay_window.hpp"
#include "perigee/transport/server_settings.hpp"
#include "perigee/transport/session_numbers.hpp"
#include "perigee/transport/token_bucket.hpp"
#include "perigee/transport/token_history.hpp"

namespace perigee::transport {

enum class DisconnectReason : std::uint8_t { ByClient, TimedOut, Replaced, ByServer };

struct ServerEvent {
  enum class Kind : std::uint8_t { Connected, Disconnected, Moved };
  Kind kind = Kind::Connected;
  std::uint32_t slot = 0;
  std::uint64_t client_id = 0;
  Address address;                                       ///< of Moved: the new address
  DisconnectReason reason = DisconnectReason::ByClient;  ///< of Disconnected
  UserData user_data{};                                  ///< of Connected
};

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

  /// Handles one datagram, decrypting it in place. Returns its payload if it is one of a connected
  /// client. Drain take_event() after this, advance() and disconnect().
  std::optional<ReceivedPayload> receive(Micros now_us, std::uint64_t unix_s, const Address& from,
                                         std::span<std::byte> datagram);
  /// Sends keep-alives and checks timeouts. Calls before the end of the period return at once.
  void advance(Micros now_us, std::uint64_t unix_s);
  /// Sends 1..1200 bytes to a connected client and returns their sequence.
  std::uint64_t send_payload(Micros now_us, std::uint32_t slot, std::span<const std::byte> bytes);
  void disconnect(Micros now_us, std::uint32_t slot);
  /// Time of the last genuine packet from that client.
  Micros received_us(std::uint32_t slot) const { return sessions_[slot].last_received_us; }
  /// Applies from now on. Sessions stay; handshakes with tokens of a removed key end at their next
  /// request.
  void set_keys(const Key& current, const std::optional<Key>& previous);
  enum class ClaimAnswer : std::uint8_t { Granted, Refused };
  /// The store's answer. Refused is final for the token. If the store could not be asked, do not
  /// call this: the handshake then times out. Answers to handshakes that no longer exist are
  /// ignored. Drain take_event() after this.
  void on_claim(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer);
  std::optional<ServerEvent> take_event();

  bool connected(std::uint32_t slot) const { return sessions_[slot].used; }
  const Address& address(std::uint32_t slot) const { return sessions_[slot].address; }
  std::uint32_t clients() const { return clients_; }
  std::uint32_t clients_max() const { return settings_.clients_max; }
  std::uint32_t handshakes() const { return static_cast<std::uint32_t>(mapping_of_.size()); }
  std::uint32_t claims_pending() const { return claims_pending_; }
  const Counts<Drop>& drops() const { return drops_; }

 private:
  struct Session {
    bool used = false;
    bool confirmed = false;  ///< the client has proven that it knows its slot
    Address address;
    std::uint64_t client_id = 0;
    std::uint64_t issue = 0;
    std::uint32_t number = 0;  ///< the client's index, as sent to the client
    Key receive_key{};
    Key send_key{};
    std::int32_t timeout_s = 0;
    std::uint64_t next_sequence = 0;
    ReplayWindow window;
    TokenBucket rate;
    Micros last_received_us = 0;
    Micros last_sent_us = 0;
    std::uint32_t moves = 0;
    Micros next_path_us = 0;
    Micros next_move_us = 0;
  };
  /// One of the keys that tokens may be sealed with.
  struct BackendKey {
    Key seal{};
    SipKey nonce{};
  };
  /// A handshake: an address that presented a valid token.
  struct Mapping {
    bool used = false;
    Address address;
    Tag token_tag{};
    std::uint64_t client_id = 0;
    std::uint64_t issue = 0;
    std::uint64_t expire_time_s = 0;
    Key receive_key{};
    Key send_key{};
    std::int32_t timeout_s = 0;
    UserData user_data{};
    Micros last_received_us = 0;  ///< not updated while a claim is pending
    std::uint64_t claim_id = 0;   ///< 0: no claim is pending
    Micros next_claim_us = 0;
  };
  using Datagram = std::span<std::byte>;
  /// Without claims the calendar never goes back: tokens removed from the history must stay
  /// expired.
  void set_calendar(std::uint64_t unix_s) {
    unix_s_ = settings_.claims ? unix_s : std::max(unix_s_, unix_s);
  }
  std::nullopt_t drop(Drop reason) {
    drops_.add(reason);
    return std::nullopt;
  }

  void on_request(Micros now_us, std::uint64_t unix_s, const Address& from, Datagram datagram);
  std::optional<Drop> refusal_unopened(Micros now_us, std::uint64_t unix_s, const Address& from,
                                       const RequestPacket& request);
  bool may_have_sealed(const BackendKey& key, const TokenSealing& sealing) const;
  OpenedToken open_token(const RequestPacket& request) const;
  /// The reason why this client may not connect from this address now, if there is one.
  std::optional<Drop> refusal(const Address& from, std::uint64_t client_id,
                              std::uint64_t issue) const;
  bool full_for(std::uint64_t client_id) const;
  Mapping* map(const Address& from, const PrivateToken& token, std::uint64_t issue,
               TokenHistory::Entry& entry);
  bool make_room(TokenHistory::Entry& entry);
  void unmap(std::uint32_t index);
  void unmap_address(const Address& address);
  void unmap_all(const TokenHistory::Entry& entry);
  void on_response(Micros now_us, const Address& from, const PacketHead& head, Datagram datagram);
  void deny(const Mapping& mapping);
  void establish(Micros now_us, const Mapping& mapping);
  void claim(Micros now_us, std::uint32_t index);
  void refuse_claim(std::uint32_t index);
  bool claim_pending_at(const Address& address) const;
  std::optional<ReceivedPayload> on_session_packet(Micros now_us, std::uint32_t slot,
                                                   const Address& from, const PacketHead& head,
                                                   Datagram datagram);
  /// The live session with the number in the sequence; null if there is none.
  const std::uint32_t* named_session(std::uint64_t sequence) const;
  void on_other_path(Micros now_us, std::uint32_t slot, const Address& from, PacketType type,
                     std::span<const std::byte> body);
  std::uint32_t path_challenge(const Session& session, const Address& from) const;
  void move(Micros now_us, std::uint32_t slot, const Address& to);

  void send(Micros now_us, Session& session, PacketType type, std::span<const std::byte> body);
  void send_to(const Address& to, Session& session, PacketType type,
               std::span<const std::byte> body);
  void send_keep_alive(Micros now_us, std::uint32_t slot);
  void send_global(const Address& to, const Key& key, PacketType type,
                   std::span<const std::byte> body);
  void say_goodbye(Micros now_us, Session& session);
  void free_session(std::uint32_t slot, DisconnectReason reason);
  void push_event(const ServerEvent& event);

  ServerSettings settings_;
  FixedVector<BackendKey, 2> backend_keys_;  ///< the current one first
  Outbox& outbox_;
  Key challenge_key_{};
  Key binding_key_{};
  SipKey path_key_{};
  std::uint64_t salt_ = 0;
  SessionNumbers session_numbers_;
  std::uint64_t challenge_sequence_ = 0;
  std::uint64_t global_sequence_ = 0;
  std::uint64_t unix_s_ = 0;

  std::vector<Session> sessions_;
  std::vector<std::uint32_t> free_sessions_;
  std::vector<Mapping> mappings_;
  std::vector<std::uint32_t> free_mappings_;
  FixedTable<Address> session_at_;
  FixedTable<std::uint64_t> session_of_client_;
  FixedTable<std::uint64_t> session_of_number_;
  FixedTable<Address> mapping_of_;
  TokenHistory tokens_;
  RateTable work_of_source_;
  RateTable work_of_nonce_;
  std::uint32_t clients_ = 0;
  std::uint32_t claims_pending_ = 0;
  std::uint64_t claims_made_ = 0;
  Micros next_advance_us_ = 0;
  Micros next_sweep_us_ = 0;

  std::vector<ServerEvent> events_;
  std::size_t events_taken_ = 0;
  Counts<Drop> drops_;
  std::array<std::byte, datagram_bytes_max> out_{};
};

}  // namespace perigee::transport
