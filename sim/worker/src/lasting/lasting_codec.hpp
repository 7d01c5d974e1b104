/// Lasting records as bytes for other workers: proto/WIRE.md
#pragma once

#include <map>

#include "perigee/base/bytes.hpp"
#include "perigee/base/player_input.hpp"  // Handle
#include "perigee/base/walk.hpp"
#include "perigee/worker/lasting/lasting_rows.hpp"

namespace perigee::worker {

inline constexpr std::size_t profile_state_bytes_max = 13 + world::profile_bytes_max;

template <class Cursor, class Bytes>
bool walk_lasting_bytes(Cursor& cursor, Bytes& bytes) {
  auto size = static_cast<std::uint32_t>(bytes.size());
  if (!cursor.number(size) || size > world::profile_bytes_max) return false;
  if constexpr (Cursor::reading) bytes.resize(size);
  return cursor.copy(bytes);
}

template <class Cursor, class P>
bool walk_profile(Cursor& cursor, P& profile) {
  return cursor.enumerator(profile.state, PlayerProfile::State::last) &&
         cursor.number(profile.lease) && walk_lasting_bytes(cursor, profile.bytes);
}

template <class Cursor, class R>
bool walk_lasting_row(Cursor& cursor, R& row) {
  const bool walked = cursor.enumerator(row.kind, LastingKind::last) && cursor.number(row.number) &&
                      cursor.number(row.owner) && cursor.number(row.lease) &&
                      cursor.number(row.match) && cursor.number(row.place) &&
                      cursor.tick(row.tick) && cursor.number(row.version) &&
                      walk_lasting_bytes(cursor, row.bytes);
  if (!walked || row.kind == LastingKind::Profile) return walked;
  return !row.bytes.empty() && row.bytes.size() <= world::result_bytes_max;
}

/// What must survive a worker.
struct LastingLogs {
  std::map<Handle, PlayerProfile> profiles;  ///< by avatar
  std::map<std::uint64_t, LastingRow> rows;  ///< not in the store yet; by number
};

enum class LastingRecord : std::uint8_t {
  Profile,  ///< of a player that is here now, or whose profile was read
  Gone,     ///< the player is not here any more
  Row,      ///< replaces a row of the same number; a profile: it is the avatar's from now on
  Stored,   ///< the row is in the store, or never will be
  last = Stored
};

/// A change of LastingLogs.
struct LastingNote {
  LastingRecord kind{};
  Handle avatar = no_entity;  ///< Profile, Gone; Row: of a profile's player
  PlayerProfile profile;      ///< Profile
  LastingRow row;             ///< Row; Stored: its number alone

  void apply(LastingLogs& logs) const;
};

template <class Cursor, class N>
bool walk_lasting_note(Cursor& cursor, N& note) {
  if (!cursor.enumerator(note.kind, LastingRecord::last)) return false;
  switch (note.kind) {
    case LastingRecord::Profile:
      return cursor.number(note.avatar) && walk_profile(cursor, note.profile);
    case LastingRecord::Gone:
      return cursor.number(note.avatar);
    case LastingRecord::Row:
      return cursor.number(note.avatar) && walk_lasting_row(cursor, note.row);
    case LastingRecord::Stored:
      return cursor.number(note.row.number);
  }
  return false;
}

}  // namespace perigee::worker
