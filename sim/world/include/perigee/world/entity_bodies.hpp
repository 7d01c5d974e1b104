/// Entities in physics: their bodies enter and leave, are placed before a step and read after it.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "perigee/world/game_calls.hpp"
#include "perigee/world/lively_entities.hpp"

namespace perigee::world {

class EntityBodies {
 public:
  struct Needs {
    EntityTable& entities;
    const EntityMotions& motions;
    LivelyEntities& lively;
    GameCalls& calls;
    PhysicsWorld& physics;
    const Tick& now;
  };
  explicit EntityBodies(Needs needs) : needs_(needs) {}

  /// A new entity: in physics from the next enter() on.
  /// Triggers have no bodies: nothing collides with them.
  void add(EntityRecord& record) {
    if (!record.type->trigger) entering_.push_back(&record);
  }
  /// An entity that will be removed from the table: its bodies leave with the next remove_left().
  void leave(const EntityRecord& gone);

  // The parts of one step, in this order: the engine's results depend on it.
  void remove_left();
  void enter();
  /// Places scheduled objects and other workers' bodies where they are after the step.
  void place_animated(Tick after);
  /// After the step: the motions of all lively bodies.
  void record_motions(Tick after);

  /// See World::set_body.
  bool set(Handle body, const Motion& motion);

 private:
  BodyDesc desc_of(const EntityRecord& record, const Motion& at) const;
  void place(EntityRecord& record, Tick after);
  void contain(EntityRecord& r, const Motion* before, Tick after, std::string_view field);

  Needs needs_;
  std::vector<EntityRecord*> entering_;  ///< not yet in physics
  std::vector<std::pair<EntityId, BodyId>> leaving_;
  std::vector<EntityRecord*> by_body_;  ///< by id of its body
  std::vector<BodyId> found_;
};

}  // namespace perigee::world
