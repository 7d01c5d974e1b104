#include "perigee/world/entity_news.hpp"

#include <algorithm>

namespace perigee::world {

void EntityNews::take(std::span<EntityRecord* const> lively, const Visit& visit,
                      const std::function<void(Handle)>& gone) {
  for (const Handle handle : std::exchange(gone_, {})) {
    const EntityRecord* r = entities_.find(handle);
    if (r == nullptr || r->entity.remote) gone(handle);
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  for (const Handle handle : std::exchange(touched_, {})) {
    const EntityRecord* r = entities_.find(handle);
    if (r == nullptr || (r->lively && !r->entity.remote)) continue;
    if (r->entity.remote) {
      gone(handle);
    } else if (r->still) {
      visit(r->entity, r->still->at, r->still->bounds);
    } else if (const auto at = motions_.motion(*r, now_)) {
      visit(r->entity, *at, *r->rounds);
    }
  }
  for (const EntityRecord* r : lively) {
    if (r->entity.remote) continue;
    const auto at = motions_.motion(*r, now_);
    if (at) visit(r->entity, *at, transformed(at->pose, r->type->shape->bounds()));
  }
}

}  // namespace perigee::world
