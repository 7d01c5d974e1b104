/// The handshakes of a server: addresses that presented a valid token, and the history of tokens.
/// A handshake may have a claim pending at the store of used tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/drops.hpp"
#include "perigee/transport/fixed_table.hpp"
#include "perigee/transport/keys.hpp"
#include "perigee/transport/token_history.hpp"

namespace perigee::transport {

/// An address that presented a valid token.
struct Handshake {
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

class HandshakeTable {
 public:
  struct Needs {
    std::uint32_t clients_max;  ///< numbers of handshakes and of remembered tokens scale with it
    std::uint64_t salt;         ///< of the hash tables
  };
  explicit HandshakeTable(Needs needs);

  /// Remembers the token. Begins the handshake of that address with the token, or returns the
  /// existing one. Null: `why` gives the reason. An address has one handshake.
  Handshake* begin(const Address& from, const PrivateToken& token, const Tag& tag,
                   std::uint64_t issue, std::uint64_t expire_time_s, Drop& why);
  void end(std::uint32_t index);
  /// The token has opened a session, or never will: ends all its handshakes.
  void consume(const Tag& token_tag);
  bool consumed(const Tag& token_tag) const;
  /// Ends silent handshakes, and forgets expired tokens.
  void sweep(Micros now_us, std::uint64_t unix_s);

  /// The handshake's claim is pending until the handshake ends.
  void begin_claim(std::uint32_t index, std::uint64_t claim_id);
  /// Whether any handshake with that token has a claim pending.
  bool claim_pending(const Tag& token_tag) const;
  std::uint32_t claims_pending() const { return claims_pending_; }

  const std::uint32_t* find(const Address& from) const { return index_of_.find(from); }
  Handshake& operator[](std::uint32_t index) { return handshakes_[index]; }
  std::size_t capacity() const { return handshakes_.size(); }
  std::size_t size() const { return index_of_.size(); }

 private:
  bool make_room(TokenHistory::Entry& entry);
  bool claim_pending_at(const Address& address) const;
  void end_at(const Address& address);

  std::vector<Handshake> handshakes_;
  std::vector<std::uint32_t> free_;
  FixedTable<Address> index_of_;
  TokenHistory tokens_;
  std::uint32_t claims_pending_ = 0;
};

}  // namespace perigee::transport
