#include "perigee/world/entity_order.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

/// Larger batches are merged in one pass, which costs about as much as this many single moves.
constexpr std::size_t placed_one_by_one_max = 16;

constexpr auto by_place_id = [](const auto& a, const auto& b) { return a.id < b.id; };

}  // namespace

EntityRecord* EntityOrder::find(EntityId id) const {
  const auto found = by_id_.find(id.bits);
  return found == by_id_.end() ? nullptr : found->second.get();
}

EntityRecord& EntityOrder::add(std::unique_ptr<EntityRecord> made) {
  EntityRecord& kept = *made;
  by_id_[kept.entity.id.bits] = std::move(made);
  came_.push_back(kept.entity.id);
  return kept;
}

void EntityOrder::remove(EntityId id) {
  by_id_.erase(id.bits);
  went_.push_back(id);
}

std::span<const EntityOrder::Place> EntityOrder::places() const {
  tidy();
  return places_;
}

std::span<const Handle> EntityOrder::handles() const {
  tidy();
  return handles_;
}

/// An id that was added and then removed is not present. An id that was removed and then added is
/// another entity.
void EntityOrder::tidy() const {
  if (came_.empty() && went_.empty()) return;
  if (came_.size() + went_.size() <= placed_one_by_one_max) {
    place_one_by_one();
  } else {
    place_together();
  }
  came_.clear();
  went_.clear();
}

void EntityOrder::place_one_by_one() const {
  const auto place_of = [&](EntityId id) {
    return std::lower_bound(places_.begin(), places_.end(), Place{id}, by_place_id);
  };
  const auto same_place = [&](auto at) { return handles_.begin() + (at - places_.begin()); };
  for (const EntityId id : went_) {
    const auto at = place_of(id);
    if (at == places_.end() || at->id != id) continue;
    handles_.erase(same_place(at));
    places_.erase(at);
  }
  for (const EntityId id : came_) {
    EntityRecord* record = find(id);
    const auto at = place_of(id);
    if (record == nullptr || (at != places_.end() && at->id == id)) continue;
    handles_.insert(same_place(at), record->entity.handle);
    places_.insert(at, {id, record->entity.handle, record});
  }
}

void EntityOrder::place_together() const {
  std::sort(went_.begin(), went_.end());
  auto gone = went_.begin();
  std::erase_if(places_, [&](const Place& place) {
    while (gone != went_.end() && *gone < place.id) ++gone;
    return gone != went_.end() && *gone == place.id;
  });
  std::sort(came_.begin(), came_.end());
  came_.erase(std::unique(came_.begin(), came_.end()), came_.end());
  const auto stayed = static_cast<std::ptrdiff_t>(places_.size());
  for (const EntityId id : came_) {
    if (EntityRecord* record = find(id)) places_.push_back({id, record->entity.handle, record});
  }
  std::inplace_merge(places_.begin(), places_.begin() + stayed, places_.end(), by_place_id);
  handles_.clear();
  handles_.reserve(places_.size());
  for (const Place& place : places_) handles_.push_back(place.handle);
}

}  // namespace perigee::world
