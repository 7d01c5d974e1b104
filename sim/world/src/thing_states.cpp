#include "perigee/world/thing_states.hpp"

namespace perigee::world {
namespace {

GameBytes public_part(const GameStateCodec& codec, const GameState& state) {
  return codec.write(state, codec.initial, SeenBy::Everybody);
}

}  // namespace

const ThingState* ThingStates::find(Handle handle) const {
  const EntityRecord* r = needs_.entities.find(handle);
  return r != nullptr ? r->state.get() : nullptr;
}

bool ThingStates::set(Handle handle, const GameState& value) {
  EntityRecord* r = needs_.entities.find(handle);
  if (r == nullptr || !r->state || r->entity.remote) {
    return needs_.calls.running() && needs_.calls.refuse(GameValue::ThingState, handle);
  }
  ThingState& state = *r->state;
  if (state.value == value) return true;
  if (!needs_.calls.take_state()) return needs_.calls.refuse(GameValue::SpawnLimit, handle);
  const GameStateCodec& codec = *r->type->state;
  const bool shown = public_part(codec, state.value) != public_part(codec, value);
  state.value = value;
  ++state.version;
  needs_.news.note_stated(handle, shown);
  return true;
}

bool ThingStates::set_remote(Handle handle, const ThingState& state) {
  EntityRecord* r = needs_.entities.find(handle);
  if (r == nullptr || !r->state || !r->entity.remote) return false;
  *r->state = state;
  return true;
}

void ThingStates::outdate_lost_changes(std::span<const Handle> members) {
  for (const Handle member : members) {
    EntityRecord* r = needs_.entities.find(member);
    if (r != nullptr && r->state) r->state->version += ThingState::lost_changes_max;
  }
}

}  // namespace perigee::world
