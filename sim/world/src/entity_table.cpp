#include "perigee/world/entity_table.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::world {

EntityTable::EntityTable(const WorldSetup& setup)
    : types_(setup.types),
      handle_base_(setup.handle_base),
      handle_count_(setup.handle_count),
      entities_max_(setup.limits.entities_max),
      present_(setup.types.size()) {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    PERIGEE_ASSERT(types_[i].id == i, "a type's id must be its place in the table");
    PERIGEE_ASSERT(types_[i].shape != nullptr, "every type must have a shape");
  }
}

EntityRecord* EntityTable::find_foreign(Handle handle) {
  const auto at = by_handle_.find(handle);
  return at != by_handle_.end() ? at->second : nullptr;
}

void EntityTable::link(Handle handle, EntityRecord* to) {
  const Handle own = handle - handle_base_;
  if (own < handle_count_) {
    if (own >= of_block_.size()) of_block_.resize(own + 1);
    of_block_[own] = to;
    return;
  }
  if (to != nullptr) {
    by_handle_[handle] = to;
  } else {
    by_handle_.erase(handle);
  }
}

void EntityTable::count(const EntityRecord& record, int by) {
  Present& of_type = present_[record.entity.type];
  (record.entity.remote ? of_type.remote : of_type.own) += static_cast<std::uint32_t>(by);
}

HandleBlock EntityTable::block_of(Handle handle) const {
  return perigee::block_of(handle, std::max<Handle>(handle_count_, 1));
}

EntityRecord& EntityTable::add(std::unique_ptr<EntityRecord> made) {
  EntityRecord& kept = order_.add(std::move(made));
  link(kept.entity.handle, &kept);
  count(kept, +1);
  ++blocks_[block_of(kept.entity.handle)];
  const Bounds& box = kept.type->gravity.inside;
  if (box.low.x <= box.high.x) insert_in_id_order(fields_, &kept);
  if (kept.type->parent_eligible) insert_in_id_order(eligible_, &kept);
  if (kept.is(EntityKind::Actor)) insert_in_id_order(actors_, &kept);
  if (kept.type->everywhere) insert_in_id_order(everywhere_, &kept);
  if (kept.is(EntityKind::Timeline) && kept.entity.parent != no_entity) {
    insert_in_id_order(attached_, &kept);
  }
  return kept;
}

void EntityTable::remove(const EntityRecord& gone) {
  const auto forget = [&](std::vector<EntityRecord*>& list) { std::erase(list, &gone); };
  if (!fields_.empty()) forget(fields_);
  if (gone.type->parent_eligible) forget(eligible_);
  if (gone.is(EntityKind::Actor)) forget(actors_);
  if (gone.is(EntityKind::Timeline)) forget(attached_);
  if (gone.type->everywhere) forget(everywhere_);
  link(gone.entity.handle, nullptr);
  count(gone, -1);
  const auto block = blocks_.find(block_of(gone.entity.handle));
  if (--block->second == 0) blocks_.erase(block);
  const EntityId id = gone.entity.id;
  order_.remove(id);
}

void EntityTable::set_remote(EntityRecord& record, bool remote) {
  count(record, -1);
  record.entity.remote = remote;
  count(record, +1);
}

Handle EntityTable::grant_handle() {
  if (granted_ == handle_count_) return no_entity;
  return handle_base_ + granted_++;
}

std::vector<HandleBlock> EntityTable::handle_blocks() const {
  std::vector<HandleBlock> out;
  out.reserve(blocks_.size());
  for (const auto& [block, entities] : blocks_) out.push_back(block);
  return out;
}

}  // namespace perigee::world
