/// The client side of netcode 1.02 as a state machine: dials the token's servers one after the
/// other, answers the challenge, then carries payloads. If its server falls silent, it dials with a
/// spare token, for a new session with new keys, from sequence 0. Until a server answers, the
/// former session stays in use: after an outage of the path its next payload ends the dialling.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/base/counts.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/packets.hpp"
#include "perigee/transport/replay_window.hpp"
#include "perigee/transport/session_numbers.hpp"

namespace perigee::transport {

enum class ClientState : std::int8_t {
  Expired = -6,
  InvalidToken = -5,
  TimedOut = -4,
  ResponseTimedOut = -3,
  RequestTimedOut = -2,
  Denied = -1,
  Disconnected = 0,
  SendingRequest = 1,
  SendingResponse = 2,
  Connected = 3
};

struct ClientOptions {
  /// Silence while connected after which the client dials with the spare token. Servers send at
  /// least ten times a second; a shorter time would redial after a few lost packets.
  Micros redial_silence_us = 1'000'000;
  /// Redialling ends after this time, or with the spare token's lifetime: enough for a restarted
  /// gateway to come back. The state then gives the reason, and the owner needs a token from
  /// elsewhere.
  Micros redial_limit_us = 15'000'000;
};

class Client {
 public:
  explicit Client(const ClientOptions& options = {}) : options_(options) {}

  /// Maximal number of datagrams that wait for poll_send().
  static constexpr std::size_t outgoing_max = 32;

  struct Payload {
    std::uint64_t sequence = 0;
    std::span<const std::byte> bytes;  ///< inside the datagram that was passed in
  };
  struct Outgoing {
    Address to;
    std::span<const std::byte> datagram;  ///< valid until the next call
  };

  /// Restarts with this token and without a spare one. False: state InvalidToken.
  bool begin(Micros now_us, std::span<const std::byte> token);
  /// Sets the token to reconnect with, in place of the previous one. Its lifetime counts from here.
  /// False: the token is invalid, and the previous one stays.
  bool set_spare(Micros now_us, std::span<const std::byte> token);
  bool has_spare() const { return spare_.has_value(); }
  /// Dials with the spare token now, in any state, for owners that know of a reason other than
  /// silence. False: there is no spare token.
  bool redial(Micros now_us);
  /// Handles one datagram, decrypting it in place. Call receive() for all arrived datagrams before
  /// advance(): otherwise a late frame of the application looks like a silent server.
  std::optional<Payload> receive(Micros now_us, const Address& from, std::span<std::byte> datagram);
  /// Sends requests, responses and keep-alives, and checks timeouts. Call it about every 10 ms.
  void advance(Micros now_us);
  std::optional<Outgoing> poll_send();
  /// Sends 1..1200 bytes and returns their sequence. None: not in a session, or outgoing_max
  /// datagrams are waiting.
  std::optional<std::uint64_t> send_payload(Micros now_us, std::span<const std::byte> bytes);
  /// Sends disconnect packets if connected. The state is Disconnected afterwards.
  void disconnect(Micros now_us);

  ClientState state() const { return state_; }
  bool connected() const { return state_ == ClientState::Connected; }
  /// Connected, or dialling while the former session may still answer.
  bool in_session() const { return connected() || former_; }
  /// Dialling with the spare token.
  bool reconnecting() const { return redialling_ && handshaking(); }
  /// Number of times that a silent session answered after all.
  std::uint32_t returns() const { return returns_; }
  /// Number of connections so far: each is a session without any state of the previous one.
  std::uint32_t sessions() const { return sessions_; }
  /// The server that the client dials or is connected to.
  const Address& server_address() const { return token_.addresses[dialled_]; }
  std::uint32_t client_index() const { return client_index_; }  ///< in state Connected
  std::uint32_t clients_max() const { return clients_max_; }    ///< in state Connected
  const Counts<Drop>& drops() const { return drops_; }

 private:
  struct Slot {
    Address to;
    std::size_t size = 0;
    std::array<std::byte, datagram_bytes_max> bytes{};
  };
  bool handshaking() const {
    return state_ == ClientState::SendingRequest || state_ == ClientState::SendingResponse;
  }
  struct Spare {
    PublicToken token;
    Micros given_us = 0;
  };
  /// A session whose server fell silent.
  struct Former {
    Spare spare;  ///< in use for dialling
    PublicToken token;
    std::size_t dialled = 0;
    Micros life_from_us = 0;
    std::uint64_t next_sequence = 0;
    ReplayWindow window;
    std::uint32_t client_index = 0;
    std::uint32_t clients_max = 0;
    std::array<std::byte, keep_alive_body_bytes> echo{};

    const Address& address() const { return token.addresses[dialled]; }
  };
  bool redial_silent(Micros now_us);
  bool of_former(const Address& from, PacketType type) const;
  void return_to_former(Micros now_us);
  void start(Micros now_us, const PublicToken& token, Micros life_from_us);
  void dial(Micros now_us, std::size_t address);
  /// The token's next address, or `end` if there is none.
  void give_up_address(Micros now_us, ClientState end);
  void check_times(Micros now_us);
  void act(Micros now_us, PacketType type, std::span<const std::byte> body);
  void on_first_keep_alive(std::span<const std::byte> body);
  void on_keep_alive(Micros now_us, std::span<const std::byte> body);
  bool numbered() const { return client_index_ >= session_number_min; }
  Slot* outgoing_slot();
  bool send(Micros now_us, PacketType type, std::span<const std::byte> body);
  void send_request(Micros now_us);
  std::nullopt_t drop(Drop reason) {
    drops_.add(reason);
    return std::nullopt;
  }

  ClientOptions options_;
  ClientState state_ = ClientState::Disconnected;
  std::optional<Spare> spare_;
  std::optional<Former> former_;
  std::uint32_t returns_ = 0;
  bool redialling_ = false;
  std::uint32_t sessions_ = 0;
  PublicToken token_;
  std::size_t dialled_ = 0;
  std::optional<std::size_t> answered_;  ///< the address that received the last response
  Micros life_from_us_ = 0;              ///< start of the token's lifetime
  Micros begun_us_ = 0;
  Micros last_received_us_ = 0;
  Micros last_sent_us_ = 0;
  std::uint64_t next_sequence_ = 0;  ///< continues across addresses: the key is the same
  ReplayWindow window_;
  std::array<std::byte, challenge_body_bytes> challenge_{};
  std::uint32_t client_index_ = 0;
  std::uint32_t clients_max_ = 0;
  /// Body of the last keep-alive, returned to servers that number their sessions: it proves that
  /// the client receives packets at its source address.
  std::array<std::byte, keep_alive_body_bytes> echo_{};
  Counts<Drop> drops_;
  std::array<Slot, outgoing_max> outgoing_{};
  std::size_t outgoing_first_ = 0;
  std::size_t outgoing_count_ = 0;
};

}  // namespace perigee::transport
