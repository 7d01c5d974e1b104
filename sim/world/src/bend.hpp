/// How the surface bends at an edge between two triangles, and so how a capsule may touch it.
#pragma once

#include <algorithm>
#include <cmath>

#include "perigee/world/mesh.hpp"

namespace perigee::world {

/// One of two triangles at an edge.
struct EdgeSide {
  Vec3 normal;
  Vec3 far;  ///< its corner beyond the edge
};

/// 0, Mesh::gentle_edge or Mesh::sharp_edge. `on_edge`: a corner at the edge.
inline std::uint8_t bend_at(const Vec3& on_edge, const EdgeSide& a, const EdgeSide& b) {
  // A neighbour's far corner below a triangle's plane by this much makes their edge convex. The
  // slit above an edge that is less so is narrower than the inside test's slack.
  constexpr double convex_m = 1e-9;
  constexpr double sharp_cosine = 0.9961947;  // 5 degrees
  const double cosine = dot(a.normal, b.normal);
  const double below = std::min(dot(a.normal, b.far - on_edge), dot(b.normal, a.far - on_edge));
  const bool folded = cosine < 0 && std::abs(below) <= convex_m;
  if (below >= -convex_m && !folded) return 0;
  return cosine < sharp_cosine ? Mesh::sharp_edge : Mesh::gentle_edge;
}

}  // namespace perigee::world
