/// Profiles of players and results of matches on their way into the world store, where they are
/// kept for good.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "perigee/base/tick.hpp"
#include "perigee/world/lasting.hpp"

namespace perigee::worker {

enum class LastingKind : std::uint8_t { Result, Profile, last = Profile };

struct LastingRow {
  LastingKind kind{};
  std::uint64_t number = 0;   ///< names the row at its worker
  std::uint64_t owner = 0;    ///< Profile: see profile_owner(); Result: its origin
  std::uint64_t lease = 0;    ///< Profile: of the session that saves
  std::uint32_t match = 0;    ///< Result
  std::uint16_t place = 0;    ///< Result
  Tick tick;                  ///< in which the game gave it
  std::uint32_t version = 0;  ///< Profile: GameModule::profile_version()
  std::vector<std::byte> bytes;
  friend bool operator==(const LastingRow&, const LastingRow&) = default;
};

/// Whose profile it is: the account's; without an account the session's.
constexpr std::uint64_t profile_owner(std::uint64_t player_id, std::uint64_t client_id) {
  return player_id != 0 ? player_id : client_id;
}

/// A profile as the store has it.
struct StoredProfile {
  std::uint32_t version = 0;
  std::vector<std::byte> bytes;
};

/// A session's right to save a profile, and what it finds.
struct TakenProfile {
  std::uint64_t lease = 0;  ///< the store takes saves of the largest lease alone. 0: fenced
  std::optional<StoredProfile> stored;  ///< none: nothing was saved yet
};

/// The profile of a player that is here.
struct PlayerProfile {
  enum class State : std::uint8_t {
    Unread,     ///< the store has not been asked yet, or has not answered
    Read,       ///< `bytes` are the present ones; empty: nothing was ever saved
    Upgraded,   ///< the same, but the store has them in a former version
    OtherGame,  ///< the store has bytes of a version that the game does not know
    last = OtherGame
  };
  State state{};
  std::uint64_t lease = 0;
  std::vector<std::byte> bytes;
};

}  // namespace perigee::worker
