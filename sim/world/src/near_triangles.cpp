#include "near_triangles.hpp"

#include <algorithm>

namespace perigee::world {

NearTriangles::NearTriangles(std::span<const Neighbour> neighbours)
    : neighbours_(neighbours), empty_(std::none_of(neighbours.begin(), neighbours.end(), counts)) {}

NearTriangles::Scratch& NearTriangles::scratch() {
  // 150 KB that every step overwrites: per thread instead of per step.
  thread_local Scratch scratch;
  return scratch;
}

Triangle NearTriangles::triangle_of(const Source& source) {
  const Mesh& mesh = *source.owner->shape->mesh();
  const Pose& pose = source.owner->pose;
  if (pose == Pose{}) return mesh.triangle(source.index);
  return {transform(pose, mesh.corner(source.index, 0)),
          transform(pose, mesh.corner(source.index, 1)),
          transform(pose, mesh.corner(source.index, 2)), mesh.edges(source.index)};
}

std::size_t NearTriangles::gather(const Query& around) {
  count_ = 0;
  covered_ = {.core = nowhere};
  if (empty_) return 0;
  bool all = true;
  for (const Neighbour& owner : neighbours_) {
    for_each_of(owner, around, [&](std::uint32_t index, const Bounds& bounds) {
      all = all && count_ < near_triangles_max;
      if (!all) return;
      near_.bounds[count_] = bounds;
      near_.sources[count_] = {&owner, index};
      near_.ready[count_++] = false;
    });
  }
  if (all) covered_ = around;
  return count_;
}

}  // namespace perigee::world
