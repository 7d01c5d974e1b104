/// The regions that this worker owns: populates new ones, and knows which of them are complete.
#pragma once

#include <cstdint>
#include <map>

#include "perigee/worker/cluster_view.hpp"
#include "perigee/world/game.hpp"
#include "perigee/world/world.hpp"

namespace perigee::worker {

class OwnRegions {
 public:
  struct Needs {
    world::World& world;
    const world::GameModule& game;
    const ClusterView& cluster;
    std::uint32_t spawner = 0;  ///< of entity ids: the number of this incarnation's handle block
    const Tick& next;           ///< the tick that is simulated next
  };
  explicit OwnRegions(Needs needs) : needs_(needs) {}

  /// The content of these regions is in the checkpoint that the world is restored from.
  void note_restored();
  /// Populates each new region once per creation. In later epochs its entities come by migration.
  void on_map();
  /// Whether the content of an own region is complete here: migrated, or known as ghosts
  /// (`knows_ghosts`). Also true once the wait for the content has timed out.
  bool complete(const RegionEntry& region, bool knows_ghosts) const;
  /// Called at each kept_ticks_turn(), so that old ticks stay comparable.
  void keep_ticks();

 private:
  void note_owned();
  void populate();

  Needs needs_;
  /// By region: the epoch of the creation that we populated.
  std::map<RegionId, Epoch> populated_;
  std::map<RegionId, Tick> owned_since_;
  std::uint32_t creating_maps_ = 0;  ///< number of maps that created regions of ours
};

}  // namespace perigee::worker
