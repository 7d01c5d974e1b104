/// Calls of the game's code into the world, and the values that the world refused.
#pragma once

#include <optional>

#include "perigee/world/entity_table.hpp"
#include "perigee/world/game_fault.hpp"

namespace perigee::world {

class GameCalls {
 public:
  GameCalls(const EntityTable& entities, const Tick& now) : entities_(entities), now_(now) {}

  void begin() { running_ = true; }
  /// So many more states of things may change until end().
  void limit_states(std::uint32_t changes) { states_left_ = changes; }
  bool take_state() {
    if (!states_left_) return true;
    if (*states_left_ == 0) return false;
    --*states_left_;
    return true;
  }
  void end() {
    running_ = false;
    states_left_.reset();
  }
  /// The game's code is running with access to the world.
  bool running() const { return running_; }

  /// Notes the refusal and returns false, for the caller to return. `field`: see GameFault.
  bool refuse(GameValue value, Handle entity);
  bool refuse(GameValue value, const EntityRecord& record, std::string_view field = {});
  /// The same for an entity that does not exist yet.
  bool refuse(GameValue value, TypeId type, Handle entity, std::string_view field = {});

  GameFaults& faults() { return faults_; }
  const GameFaults& faults() const { return faults_; }

 private:
  const EntityTable& entities_;
  const Tick& now_;
  bool running_ = false;
  std::optional<std::uint32_t> states_left_;  ///< none: any number
  GameFaults faults_;
};

}  // namespace perigee::world
