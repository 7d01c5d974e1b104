/// What a worker wants of a world store, done with one: outcomes and parts of cuts are written, and
/// after everything was lost the last cut is read, with what the journal has since.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "perigee/worker/cut.hpp"
#include "perigee/world_store/store.hpp"

namespace perigee::world_keeper {

/// Whose words these are. In the store a worker's slot is the region, and its life the epoch: a
/// later life under the slot fences what a former one still says.
struct Self {
  world_store::Incarnation incarnation = 0;
  WorkerSlot slot = 0;
  std::uint32_t life = 0;
  friend bool operator==(const Self&, const Self&) = default;
};

/// As blocking as its store; one thread at a time.
class Keeper {
 public:
  /// Both outlive it.
  Keeper(world_store::Store& store, const world::GameModule& game) : store_(store), game_(game) {}

  /// The store is this world's: it was, or it was empty.
  Result<Ok> begin(const Self& self);
  /// What became of each.
  Result<std::vector<worker::Journalled>> append(const Self& self,
                                                 std::span<const worker::OutcomeRow> rows);
  /// False: the cut is not the one that others make, or this life is fenced.
  Result<bool> write(const Self& self, const worker::CutPart& part);
  /// From here on nothing stands that a life says which has ended by the map. (R6)
  Result<Ok> fence(const Self& self, const ClusterMap& map);
  /// Removes some of what nobody needs any more. False: nothing was left to remove.
  Result<bool> tidy();
  /// Of the newest complete cut.
  Result<std::optional<Tick>> last_cut(const Self& self);
  /// The newest complete cut that can be read. First nobody of a former life can write any more:
  /// `map` says which life each worker has. None: there was no complete cut of this world yet.
  Result<std::optional<worker::WholeCut>> load(const Self& self, const ClusterMap& map);

 private:
  Result<worker::WholeCut> read(const world_store::Cut& cut);
  Result<Ok> read_journal(worker::WholeCut& cut);

  world_store::Store& store_;
  const world::GameModule& game_;
};

}  // namespace perigee::world_keeper
