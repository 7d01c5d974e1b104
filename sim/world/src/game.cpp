#include "perigee/world/game.hpp"

namespace perigee::world {

Pose timeline_pose(const EntityType& type, const Pose& local, const TimelineLog& log, Tick tick) {
  SlidingDoor door = type.door;
  door.closed = local;
  return door_pose(door, log, tick);
}

}  // namespace perigee::world
