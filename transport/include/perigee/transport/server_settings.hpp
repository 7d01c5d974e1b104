/// What a server is told once, and the limits it keeps. Each limit with its reason.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/address.hpp"
#include "perigee/netcode/tick.hpp"
#include "perigee/transport/constants.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

struct ServerSettings {
  std::uint64_t protocol_id = perigee_protocol_id;
  Key private_key{};                 ///< shared with the makers of tokens
  std::optional<Key> previous_key;   ///< opens what was made before the key was changed
  Address address;                   ///< as in the tokens' server address list
  std::uint32_t clients_max = 256;   ///< 1..4096; handshakes and remembered tokens scale with it
  std::uint16_t gateway_number = 0;  ///< unique among servers sharing the key; below 2^15
  /// Unix time of the start. Without claims, tokens that expire before start + token_life_s may
  /// have been used before a restart and are refused.
  std::uint64_t started_at_s = 0;
  /// Refuse, before any decryption, tokens whose nonce was not made with one of the keys (see
  /// nonce_check.hpp). Off: tokens of issuers who do not know that check.
  bool nonce_checks = true;
  std::uint32_t packets_per_s_max = 240;  ///< per client: inputs at 120 Hz, twice
  /// Ask the owner for each token's session (see above) instead of deciding alone.
  bool claims = false;
  /// Which of a client's tokens was made later: its larger number. Null, for issuers without such
  /// a number: the token's expiry.
  std::uint64_t (*issue_of)(const UserData&) = nullptr;
};

inline constexpr std::uint32_t clients_limit = 4096;  ///< 12 bits of a session id
inline constexpr std::uint32_t mappings_per_client = 4;
inline constexpr std::uint32_t tokens_per_client = 8;
/// Used tokens are remembered until they expire, so who makes them last for ever fills the memory.
inline constexpr std::uint64_t token_life_s_max = 3'600;
/// A claim is repeated this long after it was made, if the client still asks and nobody answered.
inline constexpr Micros claim_period_us = 500'000;

/// Handshake work (a token or a response to open, up to 5 us) that one source may cause: an IPv4
/// address, or a /64 of IPv6. A hundredth of a core, and enough for a full house behind one address
/// that joins at once.
inline constexpr std::uint32_t work_per_source_per_s = 2'000;
inline constexpr std::uint32_t work_per_source_burst = 4'096;
/// A client asks ten times a second with its one nonce. Whoever copied it gains nothing by more.
inline constexpr std::uint32_t work_per_nonce_per_s = 20;
inline constexpr std::uint32_t work_per_nonce_burst = 20;
/// Places for sources and for nonces: 32 kB each. Strangers who fill a tenth of them get in one
/// other's way in a hundred (each has two).
inline constexpr std::uint32_t work_places = 4'096;
/// What half a second of stall lets loose, at packets_per_s_max of 120.
inline constexpr std::int64_t packet_burst = 60;

/// An unproven address of a client that moved is asked this often whether it really is there.
inline constexpr Micros path_period_us = 100'000;
/// A session moves at most this often: a client between two networks would else flap per packet.
inline constexpr Micros move_period_us = 500'000;
/// A session in which its client has not spoken lives for at least this long. Its token is used, so
/// a client that has not heard of it cannot open another one: longer than clients redial.
inline constexpr std::int32_t unconfirmed_s = 20;
/// advance() wants to be called this often: a tenth of the keep-alive period.
inline constexpr Micros server_advance_period_us = 10'000;

}  // namespace perigee::transport
