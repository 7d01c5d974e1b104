#include "perigee/replication/entity_slots.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::replication {

EntitySlots::EntitySlots(std::size_t entities_max)
    : entities_max_(entities_max), entries_(2 * entities_max), by_handle_(entities_max) {
  dying_.reserve(entries_.size());
  class_of_page_.reserve(entries_.size() / slots_per_page + 1);
}

void EntitySlots::reclaim() {
  std::erase_if(dying_, [&](std::uint32_t slot) {
    if (entries_[slot].subscribers != 0) return false;
    free_of_[class_of_page_[slot / slots_per_page]].push_back({slot, ++turn_});
    return true;
  });
}

void EntitySlots::open_page(std::uint32_t of_class) {
  const auto first = static_cast<std::uint32_t>(class_of_page_.size() * slots_per_page);
  const auto end = std::min<std::size_t>(first + slots_per_page, entries_.size());
  class_of_page_.push_back(static_cast<std::uint8_t>(of_class));
  for (auto slot = static_cast<std::uint32_t>(end); slot-- > first;) {
    free_of_[of_class].push_front({slot, 0});
  }
}

auto EntitySlots::source(std::uint32_t of_class) -> FreeSlots* {
  FreeSlots& own = free_of_[of_class];
  const bool fresh = !own.empty() && own.front().turn == 0;
  if (!fresh && class_of_page_.size() * slots_per_page < entries_.size()) open_page(of_class);
  if (!own.empty()) return &own;
  FreeSlots* oldest = nullptr;
  for (FreeSlots& other : free_of_) {
    if (other.empty()) continue;
    if (oldest == nullptr || other.front().turn < oldest->front().turn) oldest = &other;
  }
  return oldest;
}

std::uint32_t EntitySlots::add(std::uint64_t identity, Handle handle) {
  if (by_handle_.size() == entities_max_ || by_handle_.find(handle) != none) return none;
  FreeSlots* from = source(phase_class(identity));
  if (from == nullptr) return none;
  const std::uint32_t slot = from->front().slot;
  from->pop_front();
  by_handle_.add(handle, slot);
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
