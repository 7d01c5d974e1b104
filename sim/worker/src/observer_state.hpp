#pragma once

#include <algorithm>
#include <limits>
#include <tuple>

#include "perigee/replication/observer.hpp"
#include "perigee/worker/core.hpp"

namespace perigee::worker {

static_assert(TallyRecord::steps == std::tuple_size_v<replication::GridSteps>);
inline TallyRecord to_record(SessionId session, Tick counted, const replication::Tally& tally) {
  TallyRecord record{session, counted, tally.due};
  for (std::size_t i = 0; i < record.within.size(); ++i) {
    constexpr std::uint32_t most = std::numeric_limits<std::uint16_t>::max();
    record.within[i] = static_cast<std::uint16_t>(std::min(tally.within[i], most));
  }
  return record;
}

/// An observer with the record in use, and the next one.
struct Core::ObserverState {
  replication::Observer observer;
  std::optional<ObserverRecord> coming;
  ObserverRecord used;
  bool in_force = false;             ///< `used` is valid
  std::optional<WorkerSlot> spoken;  ///< sender of the newest record: it has, or had, the avatar
  /// Own players: the sum of all workers' tallies for that tick, as far as they have arrived.
  Tick tallied;
  replication::Tally tally;
  /// Versions of the chunks that the client has of a patch near it, as it reported, and that it was
  /// sent; by chunk.
  struct Chunks {
    std::vector<std::uint16_t> has, sent;
  };
  std::map<Handle, Chunks> chunks;
  double contents_left = 0;  ///< rate allowance for chunk contents
};

}  // namespace perigee::worker
