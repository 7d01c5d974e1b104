#include "near_triangles.hpp"

#include <algorithm>

namespace perigee::world {

NearTriangles::NearTriangles(std::span<const Neighbour> neighbours)
    : neighbours_(neighbours), empty_(std::none_of(neighbours.begin(), neighbours.end(), counts)) {}

NearTriangles::Prepared& NearTriangles::scratch() {
  // 120 KB that every step overwrites: per thread instead of per step.
  thread_local Prepared prepared;
  return prepared;
}

std::size_t NearTriangles::gather(const Bounds& around) {
  near_.clear();
  covered_ = nowhere;
  bool all = true;
  for (const Neighbour& owner : neighbours_) {
    if (empty_ || !all) break;
    for_each_of(owner, around, [&](const Triangle& triangle) {
      all = all && near_.push_back({triangle, &owner});
    });
  }
  if (all) covered_ = around;
  return near_.size();
}

}  // namespace perigee::world
