/// Ids of accounts of which only the provider's name for the player is known.
#pragma once

#include <cstdint>
#include <string_view>

namespace perigee::accounts {

/// The first 8 bytes, big-endian, of SHA-256 over issuer, a line feed and subject; 1 instead of 0.
/// The id never changes. It is no secret: issuer and subject suffice to compute it.
std::uint64_t player_id_of(std::string_view issuer, std::string_view subject);

}  // namespace perigee::accounts
