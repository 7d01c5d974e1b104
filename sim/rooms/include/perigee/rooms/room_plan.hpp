/// Orders for rooms, the state of rooms, and reasons of refusals.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "perigee/base/ids.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::rooms {

/// The upper half differs for each run of the process, so that a room of a former run is not taken
/// for another one. The lower half counts rooms, and is the id of the room's region.
struct RoomId : Id<RoomId, std::uint64_t> {
  using Id::Id;
  RoomId(std::uint32_t run, RegionId region)
      : Id((std::uint64_t{run} << 32U) | std::uint64_t{region.number}) {}
  RegionId region() const { return RegionId{static_cast<std::uint32_t>(number)}; }
};

inline constexpr std::size_t room_text_bytes_max = 64;  ///< of a key or a label

struct RoomPlan {
  /// Names the order: a second one with the same key gets the same room. Empty: none.
  std::string key;
  std::string stage;              ///< of the game; empty: the first one
  std::string label;              ///< for operators
  std::uint32_t players_max = 0;  ///< 0: HostSettings::players_max
  /// Ends after this long without a connected client, once a client has played. 0: never.
  std::uint32_t empty_s = 60;
  std::uint32_t unused_s = 120;  ///< ends after this long if no client comes; 0: never
  std::uint32_t life_s = 0;      ///< ends after this long in any case; 0: never
};

enum class RoomState : std::uint8_t {
  Waiting,  ///< no client has come yet
  Playing,
  Ending,  ///< it is over, and its records are on their way to the store
  Ended,
  last = Ended
};
std::string_view to_text(RoomState state);

enum class EndReason : std::uint8_t {
  None,      ///< it has not ended
  Asked,     ///< by an operator
  Empty,     ///< no client was connected for RoomPlan::empty_s
  Unused,    ///< no client came for RoomPlan::unused_s
  Finished,  ///< the game ended its world
  TooOld,    ///< RoomPlan::life_s
  Stopping,  ///< the process stops
  TooSlow,   ///< HostSettings::tick_us_max, while the ticks of all rooms were late
  last = TooSlow
};
std::string_view to_text(EndReason reason);

/// Why there is no such room, or no invitation.
enum class Refusal : std::uint8_t {
  Stopping,     ///< the process stops
  RoomsFull,    ///< HostSettings::rooms_max
  Overloaded,   ///< the ticks of the present rooms are late
  NoSuchStage,  ///< the game has none of that name
  TooLong,      ///< the key, the label, a name, or claims
  PlayersMax,   ///< more players than HostSettings::players_max
  NoSuchRoom,
  RoomEnded,
  RoomFull,      ///< players and open invitations
  ClientsFull,   ///< HostSettings::clients_max: those of all rooms
  NoSuchPlayer,  ///< not in that room
  last = NoSuchPlayer
};
/// One sentence, with the remedy.
std::string_view to_sentence(Refusal refusal);

/// A player that a matchmaker sends to a room.
struct Invitation {
  std::string name;
  /// Of the player's account; 0: none. A second invitation of a player that is in the room leads
  /// back to its avatar.
  std::uint64_t player_id = 0;
  std::string claims;  ///< a JSON object for the game, or nothing
};

/// A room, for operators.
struct RoomFigures {
  RoomId id;
  RoomPlan plan;
  RoomState state = RoomState::Waiting;
  EndReason end_reason = EndReason::None;
  std::uint8_t game_reason = 0;  ///< the game's own, if it ended its world
  std::uint64_t began_unix_s = 0;
  std::uint64_t ended_unix_s = 0;  ///< 0: it has not ended
  std::uint32_t records_lost = 0;  ///< when it ended, the store had not answered for them
  std::uint32_t players = 0;       ///< connected
  std::uint32_t entities = 0;
  Micros tick_p50_us = 0, tick_p99_us = 0;  ///< of the last ten seconds
};

}  // namespace perigee::rooms
