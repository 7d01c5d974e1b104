#include "perigee/world/game_calls.hpp"

namespace perigee::world {

bool GameCalls::refuse(GameValue value, Handle entity) {
  const EntityRecord* r = entities_.find(entity);
  return refuse(value, r != nullptr ? r->entity.type : GameFault::no_type, entity);
}

bool GameCalls::refuse(GameValue value, const EntityRecord& record) {
  return refuse(value, record.entity.type, record.entity.handle);
}

bool GameCalls::refuse(GameValue value, TypeId type, Handle entity) {
  faults_.note({value, type, entity, now_});
  return false;
}

}  // namespace perigee::world
