/// Data from the session service to the gateway, in a token's 256 bytes of user data. The bytes are
/// specified in proto/WIRE.md, section "Token user data".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "perigee/base/ids.hpp"
#include "perigee/base/player_account.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::transport {

inline constexpr std::uint32_t user_data_magic = 0x44554750;  ///< "PGUD"
using perigee::player_claims_bytes_max;
using perigee::player_name_bytes_max;

struct PlayerPass {
  std::uint16_t wire_version = 0;
  std::uint64_t schema_hash = 0;  ///< of the game module
  RegionId home_region;           ///< region in which the avatar spawns
  FixedVector<char, player_name_bytes_max> player_name;
  /// Larger in each further token of the same client: the newest token gets the session.
  std::uint64_t issue = 0;
  /// Of the player's account, the same at every log-in; 0: the issuer did not set it.
  std::uint64_t player_id = 0;
  /// What the issuer says about the player to the game: a JSON object, or nothing.
  FixedVector<char, player_claims_bytes_max> player_claims;
  /// The log-in has ended the account's other sessions.
  bool alone = false;

  std::string_view name() const { return {player_name.begin(), player_name.size()}; }
  std::string_view claims() const { return {player_claims.begin(), player_claims.size()}; }
  /// Keeps the first 32 bytes.
  void set_name(std::string_view name);
  /// At most 128 bytes: half an object would be of no use.
  void set_claims(std::string_view claims);
};

UserData write_user_data(const PlayerPass& pass);
/// None: wrong magic, or name or claims longer than their limits.
std::optional<PlayerPass> read_user_data(const UserData& bytes);
/// For ServerSettings::issue_of. 0 if the bytes are not perigee's.
std::uint64_t issue_of(const UserData& bytes);

}  // namespace perigee::transport
