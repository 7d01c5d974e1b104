/// Records of a game that are kept for good in the world store: profiles of players, and results of
/// matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perigee::world {

/// A profile has 0 to this many bytes.
inline constexpr std::size_t profile_bytes_max = 65'536;
/// A result has 1 to this many bytes.
inline constexpr std::size_t result_bytes_max = 256;

/// One row of a match's result, for example of a player. Its key is (origin, match, place).
struct MatchResult {
  std::uint64_t origin = 0;  ///< distinguishes matches of one number, for example a room
  std::uint32_t match = 0;
  std::uint16_t place = 0;  ///< of the row within its match
  std::span<const std::byte> bytes;
};

/// Why a record was not taken.
enum class KeepRefusal : std::uint8_t {
  None,
  NoPlayer,    ///< the actor has left, is another worker's, or is an NPC
  Size,        ///< it is too long; a result: or empty
  Full,        ///< too many records wait for the store: try again in a later tick
  NoStore,     ///< the worker has no world store
  NotRead,     ///< the player's profile has not been read since the world restarted
  OtherGame,   ///< the stored profile is of a version that GameModule::upgrade_profile() does not
               ///< know
  Superseded,  ///< a newer session of the account is in the world
  Rehearsal,   ///< the call only tries out a commit
  last = Rehearsal
};
/// What is wrong, and the remedy.
std::string_view to_sentence(KeepRefusal refusal);

}  // namespace perigee::world
