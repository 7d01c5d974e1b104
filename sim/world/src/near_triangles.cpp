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

std::size_t NearTriangles::gather(const Query& around) {
  count_ = 0;
  covered_ = {.core = nowhere};
  if (empty_) return 0;
  bool all = true;
  for (const Neighbour& owner : neighbours_) {
    for_each_of(owner, around, [&](const Facet& facet) {
      all = all && count_ < near_triangles_max;
      if (!all) return;
      near_.bounds[count_] = facet.bounds;
      new (&near_.triangles[count_]) Triangle(facet);  // in its place: it is large
      near_.owners[count_++] = &owner;
    });
  }
  if (all) covered_ = around;
  return count_;
}

}  // namespace perigee::world
