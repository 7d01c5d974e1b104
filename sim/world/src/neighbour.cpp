#include "perigee/world/neighbour.hpp"

#include "perigee/netcode/tick.hpp"

namespace perigee::world {

Neighbour make_neighbour(Handle id, NeighbourKind kind, const Shape& shape, const Pose& previous,
                         const Pose& pose) {
  Neighbour out{.id = id, .kind = kind, .shape = &shape, .previous = previous, .pose = pose};
  if (previous == pose) return out;
  out.velocity = (pose.position - previous.position) / seconds_per_tick;
  out.angular_velocity =
      rotation_vector(pose.rotation * conjugate(previous.rotation)) / seconds_per_tick;
  return out;
}

Neighbour make_neighbour_in(const Pose& parent_previous, const Pose& parent_pose, Handle id,
                            NeighbourKind kind, const Shape& shape, const Pose& previous,
                            const Pose& pose) {
  return make_neighbour(id, kind, shape, relative(parent_previous, previous),
                        relative(parent_pose, pose));
}

bool insert_by_id(Neighbours& neighbours, const Neighbour& neighbour) {
  std::size_t at = neighbours.size();
  while (at > 0 && neighbours[at - 1].id > neighbour.id) --at;
  return neighbours.insert(at, neighbour);
}

}  // namespace perigee::world
