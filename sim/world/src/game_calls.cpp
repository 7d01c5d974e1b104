#include "perigee/world/game_calls.hpp"

namespace perigee::world {

bool GameCalls::refuse(GameValue value, Handle entity) {
  const EntityRecord* r = entities_.find(entity);
  return refuse(value, r != nullptr ? r->entity.type : GameFault::no_type, entity);
}

bool GameCalls::refuse(GameValue value, const EntityRecord& record, std::string_view field) {
  return refuse(value, record.entity.type, record.entity.handle, field);
}

bool GameCalls::refuse(GameValue value, TypeId type, Handle entity, std::string_view field) {
  faults_.note({value, type, entity, now_, field});
  return false;
}

}  // namespace perigee::world
