/// The game's states of entities that are not actors. They change by decided effects alone, so they
/// have no history.
#pragma once

#include <functional>
#include <span>

#include "perigee/world/entity_news.hpp"
#include "perigee/world/game_calls.hpp"

namespace perigee::world {

class ThingStates {
 public:
  struct Needs {
    EntityTable& entities;
    EntityNews& news;
    GameCalls& calls;
  };
  explicit ThingStates(Needs needs) : needs_(needs) {}

  /// See World::state, World::set_state, World::set_remote_state and World::outdate_lost_changes.
  const ThingState* find(Handle handle) const;
  bool set(Handle handle, const GameState& value);
  bool set_remote(Handle handle, const ThingState& state);
  void outdate_lost_changes(std::span<const Handle> members);

 private:
  Needs needs_;
};

}  // namespace perigee::world
