/// Predicted edits of ground by the own avatar. An edit lies on top of the replicated cells until
/// the worker replicates it, or until it turns out that the worker does not have it.
#pragma once

#include "perigee/client/entity_store.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::client {

class OwnEdits {
 public:
  /// At four per second, an edit dropped because of this limit is more than 10 s old.
  static constexpr std::size_t edits_max = 64;
  using OfPatch = FixedVector<world::VoxelEdit, edits_max>;

  explicit OwnEdits(const EntityStore& entities) : entities_(entities) {}
  /// A tick ran, for the first time or again.
  void on_step(const world::StepRecord& record, Handle avatar);
  /// The own section's whole block was applied: ticks up to its final one are final. True if one of
  /// the own edits did not happen in them.
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
  bool sent(const Edit& edit) const;
  bool chunk_is_here(const Edit& edit, const OwnSection& own) const;

  const EntityStore& entities_;
  FixedVector<Edit, edits_max> edits_;  ///< by tick
};

}  // namespace perigee::client
