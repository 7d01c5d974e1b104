/// What the own avatar dug and filled, as far as it is predicted: on top of what the worker has
/// told of, until that tells of it, too, or turns out to know nothing of it. (mission V11)
#pragma once

#include "perigee/client/entity_store.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

class OwnEdits {
 public:
  /// At four a second these are more than 10 s old when one has to go.
  static constexpr std::size_t edits_max = 64;
  using OfPatch = FixedVector<world::VoxelEdit, edits_max>;

  explicit OwnEdits(const EntityStore& entities) : entities_(entities) {}
  /// A tick ran, for the first time or again.
  void on_step(const world::StepRecord& record, Handle avatar);
  /// All of the own section's block was heard: ticks up to its final one ran for good. True if one
  /// of ours did not happen there.
  bool on_final(const OwnSection& own);
  void clear() { edits_.clear(); }
  bool empty() const { return edits_.empty(); }

  /// By tick.
  OfPatch of(Handle patch) const;

 private:
  struct Edit {
    Handle patch = no_entity;
    world::VoxelEdit what;
  };
  bool told(const Edit& edit) const;
  bool chunk_is_here(const Edit& edit, const OwnSection& own) const;

  const EntityStore& entities_;
  FixedVector<Edit, edits_max> edits_;  ///< by tick
};

}  // namespace perigee::client
