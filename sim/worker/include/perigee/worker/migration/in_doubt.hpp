/// Groups in doubt: they have left one worker, and no worker has acknowledged them, so no worker
/// simulates them. (proto/STATES.md, "Groups in doubt")
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/player_input.hpp"

namespace perigee::worker {

enum class DoubtReason : std::uint8_t {
  NoAnswer,  ///< the worker that answers for the destination is asked repeatedly
  /// The standby is lost: nothing is durable or sent until the map says that there is none.
  StandbyLost,
  NoRoom,  ///< the destination refused it, and this worker has no room for it any more
  last = NoRoom
};

struct GroupInDoubt {
  Handle group = no_entity;         ///< its root
  HandleBlock from, to;             ///< the incarnations that it left and was sent to
  std::optional<WorkerSlot> asked;  ///< the worker that answers for `to`
  std::uint32_t players = 0;
  std::int32_t for_ticks = 0;
  DoubtReason reason{};
};

}  // namespace perigee::worker
