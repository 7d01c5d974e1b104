/// The interface of GameModule::think, a game's server logic: the state that it sees, and the
/// changes that it may make. It is called once a tick on each worker.
///
/// The worker has run the tick before tick(). Entities of the world are at the start of tick(), as
/// all effects of think are. Motions of the last P ticks may still change by late inputs of their
/// players; final_actor() is of the newest tick that cannot. Effects of think
/// are never undone.
///
/// When a worker dies, its successor continues from the last tick that it has received: effects of
/// later calls have not happened, and think is not called for the ticks until it takes over. So a
/// game that waits for a tick compares with `>=`, and keeps what it has to remember in the state of
/// an actor.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "perigee/world/outcome.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {

/// An actor of this worker.
struct ThinkActor {
  Handle handle = no_entity;
  Handle parent = no_entity;  ///< frame of `state`
  ActorState state;           ///< at the start of the coming tick
  GameState game;             ///< with all events that the coming tick applies
  bool npc = false;
};

class ThinkContext {
 public:
  virtual ~ThinkContext() = default;
  /// The tick that is simulated next.
  virtual Tick tick() const = 0;
  /// The newest tick whose outcomes are committed. Late inputs can still move an actor in it while
  /// a gap in its inputs is open, see final_actor().
  virtual Tick settled() const = 0;
  /// Only own entities may be changed, and only by this context.
  virtual const World& world() const = 0;
  /// The boxes of this worker's regions, by region id, low inclusive, high exclusive. A region that
  /// has changed hands is among them once its content is known here. Some of its entities may be
  /// outside of them, on their way to another worker.
  virtual std::span<const Bounds> regions() const = 0;
  /// The powers of a commit.
  virtual Journal& journal() = 0;
  /// Announces a change of an own scheduled object, made with World::propose_change. False: refused
  /// and counted, see GameValue::Change; or the object changes too often.
  virtual bool announce(const TimelineChange& change) = 0;
  /// Visits the own actors in the order of their sessions. `visit` may use the journal.
  virtual void for_each_actor(const std::function<void(const ThinkActor&)>& visit) const = 0;
  /// An own actor's motion and game state at the end of settled(), in the parent's frame of that
  /// tick. None: it had no such tick here, or late inputs can still change it.
  virtual std::optional<ThinkActor> final_actor(Handle actor) const = 0;

  /// This worker owns the entity whose state is the world's, and alone may change it.
  bool owns_world() const {
    const Entity* entity = world().find(world().world_entity());
    return entity != nullptr && !entity->remote;
  }
  /// The own entities of a type, by entity id. Looks at every entity of the worker.
  std::vector<Handle> own_of_type(TypeId type) const {
    std::vector<Handle> out;
    for (const Handle handle : world().in_order()) {
      const Entity& entity = *world().find(handle);
      if (!entity.remote && entity.type == type) out.push_back(handle);
    }
    return out;
  }
};

}  // namespace perigee::world
