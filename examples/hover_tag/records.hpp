/// What the world store keeps for good: a profile of each player, and a row of each player and
/// match.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/player_account.hpp"
#include "perigee/world/outcome.hpp"

namespace hover_tag {

/// Little-endian, in this order; the name has a byte with its length before it.
struct Profile {
  std::uint64_t player_id = 0;
  std::uint32_t visits = 0;  ///< log-ins
  std::uint32_t points = 0;
  std::uint16_t matches = 0;
  std::uint16_t wins = 0;
  std::uint16_t last_match = 0;  ///< that is counted
  perigee::PlayerName name;      ///< at the last log-in
};

/// The bytes of a result, in this order. Its key has the match and the place in the table.
struct ResultRow {
  std::uint64_t player_id = 0;
  std::uint16_t score = 0;
  std::uint8_t team = 0;
  std::uint8_t won = 0;  ///< 1: by its team
  perigee::PlayerName name;
};

template <class Cursor, class P>
  requires std::same_as<std::remove_const_t<P>, Profile>
bool walk(Cursor& cursor, P& profile) {
  return cursor.number(profile.player_id) && cursor.number(profile.visits) &&
         cursor.number(profile.points) && cursor.number(profile.matches) &&
         cursor.number(profile.wins) && cursor.number(profile.last_match) &&
         perigee::walk_text(cursor, profile.name);
}
template <class Cursor, class R>
  requires std::same_as<std::remove_const_t<R>, ResultRow>
bool walk(Cursor& cursor, R& row) {
  return cursor.number(row.player_id) && cursor.number(row.score) && cursor.number(row.team) &&
         cursor.number(row.won) && perigee::walk_text(cursor, row.name);
}

/// None if the bytes are something else.
std::optional<Profile> read_profile(std::span<const std::byte> bytes);
std::optional<ResultRow> read_result(std::span<const std::byte> bytes);

/// Of the actor's player. A new player's is all 0. None: the actor is an NPC, has left, or its
/// profile is not known yet.
std::optional<Profile> profile_of(const perigee::world::Journal& journal, perigee::Handle actor);
perigee::world::KeepRefusal save(perigee::world::Journal& journal, perigee::Handle actor,
                                 const Profile& profile);
perigee::world::KeepRefusal keep(perigee::world::Journal& journal, std::uint16_t match,
                                 std::uint16_t place, const ResultRow& row);

/// The amount of the event that tells a runner.
inline std::int32_t career_of(const Profile& profile) {
  return profile.wins | profile.matches << 16;
}

}  // namespace hover_tag
