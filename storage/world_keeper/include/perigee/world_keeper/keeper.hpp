/// A worker's use of a world store: writes outcomes and parts of checkpoints; after a total loss it
/// reads the last checkpoint and the journal since then.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/worker/durability/checkpoint.hpp"
#include "perigee/worker/lasting/lasting_rows.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::world_keeper {

/// Identity of the writing worker. In the store, a worker's slot is called region, and its
/// incarnation number epoch. A later incarnation of the slot fences writes of a former one.
struct Self {
  world_store::ClusterId cluster_id = 0;
  WorkerSlot slot;
  Incarnation incarnation;
  friend bool operator==(const Self&, const Self&) = default;
};

/// Blocks as its store does; one thread at a time.
class Keeper {
 public:
  /// Both must outlive this object.
  Keeper(world_store::Store& store, const world::GameModule& game) : store_(store), game_(game) {}

  /// Checks that the store belongs to this world; takes an empty store.
  Result<Ok> begin(const Self& self);
  /// Returns the result of each row.
  Result<std::vector<worker::Journalled>> append(const Self& self,
                                                 std::span<const worker::OutcomeRow> rows);
  /// Keeps profiles and results for good. Returns the result of each row.
  Result<std::vector<worker::Journalled>> keep(const Self& self,
                                               std::span<const worker::LastingRow> rows,
                                               std::int64_t unix_s);
  /// Takes the profiles of these owners for new sessions. A lease of 0: this incarnation is fenced.
  Result<std::vector<worker::TakenProfile>> take_profiles(const Self& self,
                                                          std::span<const std::uint64_t> owners);
  /// False: this checkpoint differs from the one the other workers make, or this incarnation is
  /// fenced.
  Result<bool> write(const Self& self, const worker::CheckpointPart& part);
  /// From here on, incarnations that have ended by the map can write nothing. (R6)
  Result<Ok> fence(const Self& self, const ClusterMap& map);
  /// Deletes some obsolete data. False: there was nothing left to delete.
  Result<bool> tidy();
  /// Tick of the newest complete checkpoint.
  Result<std::optional<Tick>> last_checkpoint(const Self& self);
  /// Reads the newest complete checkpoint that is readable, after fencing all former incarnations:
  /// `map` tells each worker's present one. None: this world has no complete checkpoint yet.
  Result<std::optional<worker::WholeCheckpoint>> load(const Self& self, const ClusterMap& map);

 private:
  Result<worker::WholeCheckpoint> read(const world_store::Checkpoint& checkpoint);
  Result<Ok> read_journal(worker::WholeCheckpoint& checkpoint);

  world_store::Store& store_;
  const world::GameModule& game_;
};

}  // namespace perigee::world_keeper
