/// Finds the groups of entities that must be simulated in one place. See group.hpp.
#pragma once

#include <functional>
#include <vector>

#include "perigee/world/joints.hpp"

namespace perigee::world {

struct Group;

class Groups {
 public:
  struct Needs {
    const EntityTable& entities;
    const Joints& joints;
    const PhysicsWorld& physics;
    const Tick& now;
  };
  explicit Groups(Needs needs) : needs_(needs) {}

  /// See World::group_of.
  Group group_of(Handle handle) const;
  /// Whether it is a fixture: no force moves it, and no moving body carries it.
  bool is_fixture(Handle handle) const;
  /// Whether it touches another worker's body.
  bool touches_remote(Handle body) const;

 private:
  using Visit = std::function<void(const EntityRecord&)>;
  bool is_fixture(const EntityRecord& record) const;
  void add_fixture(const EntityRecord& of, std::vector<const EntityRecord*>& out) const;
  void for_each_bound(const EntityRecord& member, const Visit& visit) const;

  Needs needs_;
};

}  // namespace perigee::world
