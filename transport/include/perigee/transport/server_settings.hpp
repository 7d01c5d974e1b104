/// Settings of a server, and its limits with their reasons.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/address.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

struct ServerSettings {
  std::uint64_t protocol_id = perigee_protocol_id;
  Key private_key{};                 ///< shared with the issuers of tokens
  std::optional<Key> previous_key;   ///< opens tokens issued before the key change
  Address address;                   ///< as in the tokens' server address list
  std::uint32_t clients_max = 256;   ///< 1..4096; handshakes and remembered tokens scale with it
  std::uint16_t gateway_number = 0;  ///< unique among servers sharing the key; below 2^15
  /// Unix time of the start. Without claims, tokens that expire before start + token_life_s may
  /// have been used before a restart and are refused.
  std::uint64_t started_at_s = 0;
  /// Refuses, before any decryption, tokens with a nonce that was not made with one of the keys
  /// (see nonce_check.hpp). Off: for issuers that do not implement the check.
  bool nonce_checks = true;
  std::uint32_t packets_per_s_max = 240;  ///< per client: inputs at 120 Hz, twice
  /// Asks the owner for each token's session (see server.hpp) instead of deciding alone.
  bool claims = false;
  /// Orders a client's tokens: a newer token has the larger number. Null, for issuers without such
  /// a number: the token's expiry.
  std::uint64_t (*issue_of)(const UserData&) = nullptr;
};

inline constexpr std::uint32_t clients_limit = 4096;  ///< 12 bits of a session id
inline constexpr std::uint32_t mappings_per_client = 4;
inline constexpr std::uint32_t tokens_per_client = 8;
/// Used tokens are remembered until they expire, so an unlimited lifetime would fill the memory.
inline constexpr std::uint64_t token_life_s_max = 3'600;
/// A claim is repeated after this time if the client still asks and no answer has arrived.
inline constexpr Micros claim_period_us = 500'000;

/// Handshake work (opening a token or a response, up to 5 us) that one source may cause: an IPv4
/// address, or a /64 of IPv6. A hundredth of a core, and enough for a full server of clients behind
/// one address that connect at once.
inline constexpr std::uint32_t work_per_source_per_s = 2'000;
inline constexpr std::uint32_t work_per_source_burst = 4'096;
/// A client sends its one nonce ten times a second. Copying it gains an attacker nothing.
inline constexpr std::uint32_t work_per_nonce_per_s = 20;
inline constexpr std::uint32_t work_per_nonce_burst = 20;
/// Places for sources and for nonces: 32 kB each. Attackers that use up a tenth of the places block
/// one in a hundred other senders, since each sender has two places.
inline constexpr std::uint32_t work_places = 4'096;
/// The backlog after half a second of stall, at 120 packets per second.
inline constexpr std::int64_t packet_burst = 60;

/// Period of the challenges to an unproven new address of a client.
inline constexpr Micros path_period_us = 100'000;
/// A session moves at most once per this time: a client between two networks would otherwise move
/// with every packet.
inline constexpr Micros move_period_us = 500'000;
/// Minimal lifetime of a session without a packet from its client. The session's token is used, so
/// a client that has not learnt of the session cannot open another one. Hence this is longer than
/// clients redial.
inline constexpr std::int32_t unconfirmed_s = 20;
/// Recommended period of advance() calls: a tenth of the keep-alive period.
inline constexpr Micros server_advance_period_us = 10'000;

}  // namespace perigee::transport
