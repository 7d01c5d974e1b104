/// Restores a world from a checkpoint: the content of our regions, at the present tick. The ticks
/// since the checkpoint did not happen. But motion that depends on the tick alone continues as if
/// they had happened.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/worker/counters.hpp"
#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/players/player_table.hpp"
#include "perigee/worker/settings.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class Mailbox;

/// Whether a worker without a world has a region with content that may be in the last checkpoint.
bool waits_for_checkpoint(const ClusterView& cluster);

class WorldRestore {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    PlayerTable& players;
    const ClusterView& cluster;
    Counts<Count>& counts;
    const Settings& settings;
    const Tick& next;  ///< the tick that is simulated next
  };
  explicit WorldRestore(Needs needs) : needs_(needs) {}

  void restore(const WholeCheckpoint& checkpoint);
  /// Mailbox messages that were in flight. If the addressee is not in the checkpoint, the message
  /// goes back to its sender.
  void deliver(const WholeCheckpoint& checkpoint, Mailbox& mailbox) const;
  /// Restored players are still waiting for their clients.
  bool lately() const;
  /// The region of the worker that restored the client's avatar, if that was another worker.
  /// Forgotten when restored avatars expire.
  const RegionEntry* region_of(std::uint64_t client_id) const;
  void not_there(std::uint64_t client_id) { elsewhere_.erase(client_id); }
  /// Called at each kept_ticks_turn(), so that old ticks stay comparable.
  void keep_ticks();

 private:
  class Recalling;
  void enter(const WholeCheckpoint& checkpoint, const std::vector<const CheckpointEntity*>& mine);
  void enter_player(const CheckpointPlayer& checkpoint, std::uint32_t number);
  void enter_ground(const CheckpointGround& ground);

  Needs needs_;
  std::map<std::uint64_t, Vec3> elsewhere_;  ///< by client: the last position
  std::optional<Tick> restored_;
};

}  // namespace perigee::worker
