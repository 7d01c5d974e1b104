#include "perigee/replication/entity_slots.hpp"

#include "perigee/netcode/assert.hpp"

namespace perigee::replication {

EntitySlots::EntitySlots(std::size_t entities_max)
    : entities_max_(entities_max), entries_(2 * entities_max) {
  for (auto* list : {&free_, &in_order_, &previous_, &born_, &dying_}) {
    list->reserve(entries_.size());
  }
  for (auto slot = static_cast<std::uint32_t>(entries_.size()); slot > 0; --slot) {
    free_.push_back(slot - 1);
  }
  by_handle_.reserve(entities_max);
}

std::uint32_t EntitySlots::find(Handle handle) const {
  const auto found = by_handle_.find(handle);
  return found == by_handle_.end() ? none : found->second;
}

void EntitySlots::bury(std::uint32_t slot) {
  by_handle_.erase(entries_[slot].handle);
  entries_[slot].published = none;
  dying_.push_back(slot);
}

std::uint32_t EntitySlots::grant(const Published& entity) {
  if (free_.empty() || by_handle_.size() == entities_max_) return none;
  if (!by_handle_.try_emplace(entity.handle, free_.back()).second) return none;
  const std::uint32_t slot = free_.back();
  free_.pop_back();
  entries_[slot] = {entity.identity, entity.handle, none, 0};
  born_.push_back(slot);
  return slot;
}

void EntitySlots::update(const Publication& publication) {
  std::erase_if(dying_, [&](std::uint32_t slot) {
    if (entries_[slot].knowers != 0) return false;
    free_.push_back(slot);
    return true;
  });
  born_.clear();
  previous_.swap(in_order_);
  in_order_.clear();
  // Both lists are by identity: what is only in the old one is gone. An identity that came back
  // under another handle is another life.
  std::size_t old = 0;
  const auto old_identity = [&] { return entries_[previous_[old]].identity; };
  for (std::uint32_t i = 0; i < publication.size(); ++i) {
    const Published& entity = publication[i];
    PERIGEE_ASSERT(i == 0 || publication[i - 1].identity <= entity.identity,
                   "a publication is by identity");
    while (old < previous_.size() && (previous_[old] == none || old_identity() < entity.identity)) {
      if (previous_[old] != none) bury(previous_[old]);
      ++old;
    }
    std::uint32_t slot = none;
    if (old < previous_.size() && old_identity() == entity.identity) {
      slot = previous_[old++];
      if (entries_[slot].handle != entity.handle) {
        bury(slot);
        slot = none;
      }
    }
    in_order_.push_back(slot);  // granted below, once the handles of those that left are free
  }
  for (; old < previous_.size(); ++old) {
    if (previous_[old] != none) bury(previous_[old]);
  }
  for (std::uint32_t i = 0; i < publication.size(); ++i) {
    std::uint32_t& slot = in_order_[i];
    if (slot == none) slot = grant(publication[i]);
    if (slot != none) entries_[slot].published = i;
  }
}

}  // namespace perigee::replication
