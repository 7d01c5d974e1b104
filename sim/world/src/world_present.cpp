// The present state alone, for a checkpoint of the whole world.

#include "perigee/world/world.hpp"

namespace perigee::world {

void World::for_each_own(
    const std::function<void(const Entity&, const Motion&, const TimelineLog&)>& visit) const {
  for (const EntityOrder::Place& each : entities_.places()) {
    const Record* r = each.record;
    if (r->entity.remote) continue;
    Entity entity = r->entity;
    Motion at;
    if (const Motion* moving = r->is(EntityKind::Body) ? motions_.body_motion(*r, now_) : nullptr)
      at = *moving;
    if (const ActorTrace* trace = r->traces ? r->trace(now_) : nullptr) {
      entity.parent = trace->parent;
      entity.local = {trace->position, {}};
    }
    visit(entity, at, r->log);
  }
}

}  // namespace perigee::world
