/// The connected clients of a server, by slot, and the ways to find one: address, client id, and
/// the session number in a perigee client's sequences.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/handshake_table.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/replay_window.hpp"
#include "perigee/transport/server_events.hpp"
#include "perigee/transport/session_numbers.hpp"
#include "perigee/transport/token_bucket.hpp"

namespace perigee::transport {

struct Connection {
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

class Connections {
 public:
  struct Needs {
    std::uint32_t clients_max;
    std::uint32_t packets_per_s_max;  ///< per client
    std::uint64_t salt;               ///< of the hash tables
    SipKey number_key;                ///< of session numbers
    ServerEvents& events;
  };
  explicit Connections(Needs needs);

  /// Address and client of the handshake must have no connection, and a slot must be free. Returns
  /// the slot.
  std::uint32_t open(Micros now_us, const Handshake& handshake);
  void close(std::uint32_t slot, DisconnectReason reason);
  /// The address must have no connection.
  void move(Micros now_us, std::uint32_t slot, const Address& to);

  // The slot, or null if there is no such connection.
  const std::uint32_t* at(const Address& address) const { return slot_at_.find(address); }
  const std::uint32_t* of_client(std::uint64_t client_id) const {
    return slot_of_client_.find(client_id);
  }
  /// The connection with the number in the sequence.
  const std::uint32_t* named(std::uint64_t sequence) const {
    const std::uint32_t number = session_number_of(sequence);
    return number != 0 ? slot_of_number_.find(number) : nullptr;
  }

  Connection& operator[](std::uint32_t slot) { return connections_[slot]; }
  const Connection& operator[](std::uint32_t slot) const { return connections_[slot]; }
  std::uint32_t slots() const { return static_cast<std::uint32_t>(connections_.size()); }
  std::uint32_t clients() const { return slots() - free_slots(); }
  std::uint32_t free_slots() const { return static_cast<std::uint32_t>(free_.size()); }

 private:
  Needs needs_;
  SessionNumbers numbers_;
  std::vector<Connection> connections_;
  std::vector<std::uint32_t> free_;  ///< low slots are taken first
  FixedTable<Address> slot_at_;
  FixedTable<std::uint64_t> slot_of_client_;
  FixedTable<std::uint64_t> slot_of_number_;
};

}  // namespace perigee::transport
