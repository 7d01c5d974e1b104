/// Keeps the chunks of voxel ground equal at worker and client. The worker lists versions. The
/// client reports the chunks that it cannot bring to these versions with its events. The worker
/// then sends their contents.
#pragma once

#include "perigee/base/wire_voxels.hpp"
#include "perigee/base/wire_world.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/players/player.hpp"
#include "perigee/worker/snapshots/observer_table.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class ChunkSender {
 public:
  struct Needs {
    const world::World& world;
    const replication::Publisher& publisher;
    Counts<Count>& counts;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit ChunkSender(Needs needs) : needs_(needs) {}

  /// Lists versions of chunks near the player that its client does not have, the nearest first. A
  /// client has no chunks of patches that it does not know as entities.
  void list(ObserverState& state, const Player& player, OwnSection& own) const;
  /// The client's answer. Each content that it requests is sent once.
  void on_report(ObserverState& state, const ChunkFrame& frame);

 private:
  Needs needs_;
};

}  // namespace perigee::worker
