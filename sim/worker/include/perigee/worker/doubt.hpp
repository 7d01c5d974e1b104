/// Groups that nobody plays: they have left one worker, and nobody has said to have them.
/// (proto/STATES.md, "Groups in doubt")
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/player_input.hpp"

namespace perigee::worker {

enum class DoubtReason : std::uint8_t {
  NoAnswer,   ///< who answers for its destination is asked again and again
  BuddyLost,  ///< nothing more is durable, so nothing said, before the map says that there is none
  NoRoom,     ///< it was refused there, and here there is no room for it any more
  last = NoRoom
};

struct GroupInDoubt {
  Handle group = no_entity;  ///< its root
  /// Lives, by the numbers of their blocks of handles: whose it was, and whose it would be.
  std::uint32_t from_life = 0, to_life = 0;
  std::optional<WorkerSlot> asked;  ///< who answers for `to_life`
  std::uint32_t players = 0;
  std::int32_t for_ticks = 0;
  DoubtReason reason{};
};

}  // namespace perigee::worker
