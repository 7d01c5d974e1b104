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
  count_ = 0;
  covered_ = nowhere;
  if (empty_) return 0;
  bool all = true;
  for (const Neighbour& owner : neighbours_) {
    for_each_of(owner, around,
                [&](const Vec3& a, const Vec3& b, const Vec3& c, std::uint8_t edges) {
                  all = all && count_ < near_.size();
                  if (!all) return;
                  Near& near = near_[count_++];
                  new (&near.triangle) Triangle(a, b, c, edges);  // in its place: it is large
                  near.owner = &owner;
                });
  }
  if (all) covered_ = around;
  return count_;
}

}  // namespace perigee::world
