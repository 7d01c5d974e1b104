/// All entities of a world: found by handle and by id, counted, and listed by what they are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "perigee/base/ids.hpp"
#include "perigee/world/entity_order.hpp"
#include "perigee/world/world_setup.hpp"

namespace perigee::world {

class EntityTable {
 public:
  explicit EntityTable(const WorldSetup& setup);
  EntityTable(const EntityTable&) = delete;
  EntityTable& operator=(const EntityTable&) = delete;

  std::span<const EntityType> types() const { return types_; }
  std::size_t size() const { return order_.size(); }
  std::size_t entities_max() const { return entities_max_; }
  bool full() const { return size() == entities_max_; }

  EntityRecord* find(Handle handle) {
    const Handle own = handle - handle_base_;
    if (own < handle_count_) return own < of_block_.size() ? of_block_[own] : nullptr;
    return find_foreign(handle);
  }
  const EntityRecord* find(Handle handle) const {
    return const_cast<EntityTable*>(this)->find(handle);
  }
  const EntityRecord* find(EntityId id) const { return order_.find(id); }

  /// Its handle and id must be free, and the table not full.
  EntityRecord& add(std::unique_ptr<EntityRecord> made);
  /// Destroys the record.
  void remove(const EntityRecord& gone);
  /// Changes whether it is another worker's.
  void set_remote(EntityRecord& record, bool remote);

  /// A handle of the world's own block; no_entity if none is left.
  Handle grant_handle();
  bool has_handles() const { return granted_ < handle_count_; }
  std::uint32_t handles_left() const { return handle_count_ - granted_; }
  std::uint32_t handles_max() const { return handle_count_; }
  /// Numbers of the handle blocks of all entities, ascending.
  std::vector<HandleBlock> handle_blocks() const;

  /// By entity id; valid until the next add or remove.
  std::span<const EntityOrder::Place> places() const { return order_.places(); }
  std::span<const Handle> handles() const { return order_.handles(); }
  /// By type id.
  std::span<const Present> present() const { return present_; }

  // Lists by entity id.
  /// Entities with a gravity box.
  std::span<EntityRecord* const> fields() const { return fields_; }
  /// Possible parents.
  std::span<EntityRecord* const> eligible() const { return eligible_; }
  std::span<EntityRecord* const> actors() const { return actors_; }
  /// Scheduled objects with a parent.
  std::span<EntityRecord* const> attached() const { return attached_; }
  /// Of a type with `everywhere`: one, or for moments after the loss of a worker more.
  std::span<EntityRecord* const> everywhere() const { return everywhere_; }

 private:
  EntityRecord* find_foreign(Handle handle);
  void link(Handle handle, EntityRecord* to);
  void count(const EntityRecord& record, int by);
  HandleBlock block_of(Handle handle) const;

  std::span<const EntityType> types_;
  Handle handle_base_, handle_count_;
  std::size_t entities_max_;
  Handle granted_ = 0;  ///< granted handles of the block
  EntityOrder order_;
  std::vector<EntityRecord*> of_block_;                  ///< by index in the world's own block
  std::unordered_map<Handle, EntityRecord*> by_handle_;  ///< all others; never iterated
  std::vector<Present> present_;
  std::map<HandleBlock, std::uint32_t> blocks_;  ///< handles in use per block
  std::vector<EntityRecord*> fields_, eligible_, actors_, attached_, everywhere_;
};

}  // namespace perigee::world
