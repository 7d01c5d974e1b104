/// Takes groups out of a world with all their state, and continues them in another world.
#pragma once

#include <cstdint>
#include <span>

#include "perigee/world/joints.hpp"
#include "perigee/world/spawner.hpp"

namespace perigee::world {

struct GroupPast;
struct EntityPast;

class GroupStates {
 public:
  struct Needs {
    EntityTable& entities;
    const EntityMotions& motions;
    NeighbourGrid& grid;
    Joints& joints;
    Spawner& spawner;
    const Tick& now;
  };
  explicit GroupStates(Needs needs) : needs_(needs) {}

  /// See World::extract, World::release and World::insert.
  GroupPast extract(std::span<const Handle> members) const;
  void release(std::span<const Handle> members);
  bool insert(const GroupPast& group);

 private:
  EntityPast past_of(const EntityRecord& record) const;
  bool fits(const GroupPast& group) const;
  void enter(const EntityPast& past, const GroupPast& group);
  void enter_past(EntityRecord& made, const EntityPast& past, std::int32_t late_ticks);

  Needs needs_;
};

}  // namespace perigee::world
