#include "perigee/replication/entity_slots.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::replication {

EntitySlots::EntitySlots(std::size_t entities_max)
    : entities_max_(entities_max), entries_(2 * entities_max), by_handle_(entities_max) {
  dying_.reserve(entries_.size());
  for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) free_.push_back(slot);
}

void EntitySlots::reclaim() {
  std::erase_if(dying_, [&](std::uint32_t slot) {
    if (entries_[slot].subscribers != 0) return false;
    free_.push_back(slot);
    return true;
  });
}

std::uint32_t EntitySlots::add(std::uint64_t identity, Handle handle) {
  if (free_.empty() || by_handle_.size() == entities_max_) return none;
  if (by_handle_.find(handle) != none) return none;
  const std::uint32_t slot = free_.front();
  by_handle_.add(handle, slot);
  free_.pop_front();
  used_end_ = std::max(used_end_, slot + 1);
  entries_[slot] = {identity, handle, true, 0};
  return slot;
}

void EntitySlots::declare_dead(std::uint32_t slot) {
  PERIGEE_ASSERT(entries_[slot].alive, "the entity's slot must be in use");
  by_handle_.remove(entries_[slot].handle);
  entries_[slot].alive = false;
  dying_.push_back(slot);
}

}  // namespace perigee::replication
