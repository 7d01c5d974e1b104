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

/// An observer with the record that decides, and the one that is about to.
struct Core::ObserverState {
  replication::Observer observer;
  std::optional<ObserverRecord> coming;
  ObserverRecord used;
  bool in_force = false;             ///< `used` is
  std::optional<WorkerSlot> spoken;  ///< whose record came last: it has the avatar, or had it
  /// Of what is ours: what all workers have counted at that tick, as far as it has come.
  Tick tallied;
  replication::Tally tally;
  /// What the client has of a patch near it, as far as it has said, and what it was sent; by chunk.
  struct Chunks {
    std::vector<std::uint16_t> has, sent;
  };
  std::map<Handle, Chunks> chunks;
  double contents_left = 0;  ///< that it may be sent
};

}  // namespace perigee::worker
