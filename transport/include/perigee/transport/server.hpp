/// The server's half of netcode 1.02 as a state machine: datagrams and time in, datagrams and
/// events out. Closes, invisibly to foreign clients: second use of a token, challenges of other
/// clients, copied requests that lock the owner out, crashed clients that cannot come back.
///
/// With claims, a token opens one session among all servers that share a key, across restarts: a
/// valid response is not answered with a slot but with Outbox::claim(); the owner asks the store
/// that remembers used tokens, and the store's answer goes into on_claim().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/counts.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/transport/challenge.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/replay_window.hpp"
#include "perigee/transport/token_history.hpp"

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

struct ServerSettings {
  std::uint64_t protocol_id = perigee_protocol_id;
  Key private_key{};                 ///< shared with the makers of tokens
  Address address;                   ///< as in the tokens' server address list
  std::uint32_t clients_max = 256;   ///< 1..4096; handshakes and remembered tokens scale with it
  std::uint16_t gateway_number = 0;  ///< unique among servers sharing the key; below 2^15
  /// Unix time of the start. Without claims, tokens that expire before start + token_life_s may
  /// have been used before a restart and are refused.
  std::uint64_t started_at_s = 0;
  /// Ask the owner for each token's session (see above) instead of deciding alone.
  bool claims = false;
  /// Which of a client's tokens was made later: its larger number. Null, for issuers without such
  /// a number: the token's expiry.
  std::uint64_t (*issue_of)(const UserData&) = nullptr;
};

inline constexpr std::uint32_t clients_limit = 4096;  ///< 12 bits of a session id
inline constexpr std::uint32_t mappings_per_client = 4;
inline constexpr std::uint32_t tokens_per_client = 8;
/// A claim is repeated this long after it was made, if the client still asks and nobody answered.
inline constexpr Micros claim_period_us = 500'000;
/// advance() wants to be called this often: a tenth of the keep-alive period.
inline constexpr Micros server_advance_period_us = 10'000;

enum class DisconnectReason : std::uint8_t { ByClient, TimedOut, Replaced, ByServer };

struct ServerEvent {
  enum class Kind : std::uint8_t { Connected, Disconnected };
  Kind kind = Kind::Connected;
  std::uint32_t slot = 0;
  std::uint64_t client_id = 0;
  Address address;
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
  /// Takes all memory. `random` is drawn from here only: for challenge and binding keys, table
  /// salt.
  Server(const ServerSettings& settings, const RandomBytes& random, Outbox& outbox);

  /// Handles one datagram, decrypting it in place. A payload, if it was one of a connected client.
  /// Drain take_event() after this, advance() and disconnect().
  std::optional<ReceivedPayload> receive(Micros now_us, std::uint64_t unix_s, const Address& from,
                                         std::span<std::byte> datagram);
  /// Keep-alives and time-outs. Calls that come before the period is over cost nothing.
  void advance(Micros now_us, std::uint64_t unix_s);
  /// 1..1200 bytes to a connected client; the sequence it travels under.
  std::uint64_t send_payload(Micros now_us, std::uint32_t slot, std::span<const std::byte> bytes);
  void disconnect(Micros now_us, std::uint32_t slot);
  enum class ClaimAnswer : std::uint8_t { Granted, Refused };
  /// What the store said. Refused is final for the token: whoever could not ask stays silent, and
  /// the handshake dies of its time-out. Answers to handshakes that are gone are ignored.
  /// Drain take_event() after this.
  void on_claim(Micros now_us, std::uint64_t claim_id, ClaimAnswer answer);
  std::optional<ServerEvent> take_event();

  bool connected(std::uint32_t slot) const { return sessions_[slot].used; }
  std::uint32_t clients() const { return clients_; }
  std::uint32_t clients_max() const { return settings_.clients_max; }
  std::uint32_t handshakes() const { return static_cast<std::uint32_t>(mapping_of_.size()); }
  std::uint32_t claims_pending() const { return claims_pending_; }
  const Counts<Drop>& drops() const { return drops_; }

 private:
  struct Session {
    bool used = false;
    bool confirmed = false;  ///< the client has shown that it knows of its slot
    Address address;
    std::uint64_t client_id = 0;
    std::uint64_t issue = 0;
    Key receive_key{};
    Key send_key{};
    std::int32_t timeout_s = 0;
    std::uint64_t next_sequence = 0;
    ReplayWindow window;
    Micros last_received_us = 0;
    Micros last_sent_us = 0;
  };
  /// A handshake: an address that presented a good token.
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
    Micros last_received_us = 0;  ///< stands still while a claim is pending
    std::uint64_t claim_id = 0;   ///< 0: none is pending
    Micros next_claim_us = 0;
  };
  using Datagram = std::span<std::byte>;
  std::nullopt_t drop(Drop reason) {
    drops_.add(reason);
    return std::nullopt;
  }

  void on_request(Micros now_us, std::uint64_t unix_s, const Address& from, Datagram datagram);
  /// Why this client may not connect from this address now, if so.
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
                                                   const PacketHead& head, Datagram datagram);

  void send(Micros now_us, Session& session, PacketType type, std::span<const std::byte> body);
  void send_keep_alive(Micros now_us, std::uint32_t slot);
  void send_global(const Address& to, const Key& key, PacketType type,
                   std::span<const std::byte> body);
  void say_goodbye(Micros now_us, Session& session);
  void free_session(std::uint32_t slot, DisconnectReason reason);
  void push_event(const ServerEvent& event);

  ServerSettings settings_;
  Outbox& outbox_;
  Key challenge_key_{};
  Key binding_key_{};
  std::uint64_t salt_ = 0;
  std::uint64_t challenge_sequence_ = 0;
  std::uint64_t global_sequence_ = 0;
  std::uint64_t unix_s_ = 0;  ///< never goes back: forgotten tokens must stay expired

  std::vector<Session> sessions_;
  std::vector<std::uint32_t> free_sessions_;
  std::vector<Mapping> mappings_;
  std::vector<std::uint32_t> free_mappings_;
  FixedTable<Address> session_at_;
  FixedTable<std::uint64_t> session_of_client_;
  FixedTable<Address> mapping_of_;
  TokenHistory tokens_;
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
