/// Entities of other workers: their received states, and entities that change their owner.
#pragma once

#include <span>

#include "perigee/world/body_forces.hpp"
#include "perigee/world/joints.hpp"

namespace perigee::world {

class RemoteEntities {
 public:
  struct Needs {
    EntityTable& entities;
    LivelyEntities& lively;
    BodyForces& forces;
    Joints& joints;
    EntityNews& news;
    PhysicsWorld& physics;
    const Tick& now;
  };
  explicit RemoteEntities(Needs needs) : needs_(needs) {}

  /// See World::set_remote_motion and World::set_remote_log.
  void set_motion(Handle body, Tick tick, const Motion& motion);
  void set_log(Handle object, const TimelineLog& log);
  /// Changes the body's ownership; its state stays.
  void set_remote(Handle body, bool remote);
  /// See World::make_remote and World::make_own.
  void make_remote(std::span<const Handle> members);
  void make_own(std::span<const Handle> members);

 private:
  void set_owner(EntityRecord& record, bool remote);

  Needs needs_;
};

}  // namespace perigee::world
