/// Levels of triangles for tests, and an actor in them.
#pragma once

#include <functional>
#include <utility>

#include "perigee/world/mesh.hpp"
#include "scene.hpp"

namespace perigee::world {

inline MeshPtr mesh_of(const MeshSource& source) {
  const Result<MeshPtr> made = Mesh::make(source);
  PERIGEE_ASSERT(made.ok(), "a usable mesh");
  return *made;
}

/// Adds a flat quadrangle, counter-clockwise as seen from its front.
inline void add_quad(MeshSource& to, const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto first = static_cast<std::uint32_t>(to.corners.size());
  for (const Vec3& corner : {a, b, c, d}) to.corners.push_back(to_float(corner));
  to.triangles.push_back({first, first + 1, first + 2});
  to.triangles.push_back({first, first + 2, first + 3});
}

/// A floor of `sides` x `sides` squares around the origin with its front up. `height(x, z)` lifts
/// it. The corners inside are moved along the floor by up to `jitter` of a square.
inline MeshSource floor_of(int sides, double side_m,
                           const std::function<double(double, double)>& height = {},
                           double jitter = 0) {
  MeshSource out;
  Random random(3);
  for (int i = 0; i <= sides; ++i) {
    for (int k = 0; k <= sides; ++k) {
      const bool inside = i > 0 && k > 0 && i < sides && k < sides;
      const double by = inside ? jitter * side_m : 0;
      const double x = (i - sides / 2.0) * side_m + random.between(-by, by);
      const double z = (k - sides / 2.0) * side_m + random.between(-by, by);
      out.corners.push_back(to_float({x, height ? height(x, z) : 0, z}));
    }
  }
  for (int i = 0; i < sides; ++i) {
    for (int k = 0; k < sides; ++k) {
      const auto a = static_cast<std::uint32_t>(i * (sides + 1) + k);
      const auto b = a + static_cast<std::uint32_t>(sides) + 1;
      if ((i + k) % 2 == 0) {
        out.triangles.push_back({a, a + 1, b + 1});
        out.triangles.push_back({a, b + 1, b});
      } else {
        out.triangles.push_back({a, a + 1, b});
        out.triangles.push_back({b, a + 1, b + 1});
      }
    }
  }
  return out;
}

/// The same size in rows of squares that do not meet corner to corner.
inline MeshSource brick_floor(int sides, double side_m) {
  MeshSource out;
  const double half = sides * side_m / 2;
  for (int i = 0; i < sides; ++i) {
    const double x = i * side_m - half;
    double z = -half;
    for (int k = 0; z < half; ++k) {
      const double next = std::min(half, z + side_m * (k == 0 ? 0.37 + 0.11 * (i % 5) : 1));
      add_quad(out, {x, 0, z}, {x, 0, next}, {x + side_m, 0, next}, {x + side_m, 0, z});
      z = next;
    }
  }
  return out;
}

/// A box of six faces with their fronts outwards, each of `cuts` x `cuts` squares.
inline void add_block(MeshSource& to, const Vec3& low, const Vec3& high, int cuts = 1) {
  const auto side = [&](const Vec3& origin, const Vec3& u, const Vec3& v) {
    for (int i = 0; i < cuts; ++i) {
      for (int k = 0; k < cuts; ++k) {
        const auto at = [&](int a, int b) {
          return origin + u * (1.0 * a / cuts) + v * (1.0 * b / cuts);
        };
        add_quad(to, at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1));
      }
    }
  };
  const Vec3 size = high - low;
  const Vec3 x{size.x, 0, 0};
  const Vec3 y{0, size.y, 0};
  const Vec3 z{0, 0, size.z};
  side(low, y, x);
  side(low + z, x, y);
  side(low, x, z);
  side(low + y, z, x);
  side(low, z, y);
  side(low + x, y, z);
}

/// Hills without overhangs, of slopes that can be walked.
inline double hills(double x, double z) {
  return 1.2 * sin_cos(x * 0.21).sin + 0.9 * sin_cos(z * 0.17 + 1).sin +
         0.25 * sin_cos(x * 0.9 + z * 1.3).sin;
}

inline Neighbour& add_mesh(Scene& scene, Handle id, const MeshPtr& mesh, const Pose& pose = {}) {
  scene.shapes.push_back(make_shape({}, mesh));
  scene.neighbours.push_back(
      make_neighbour(id, NeighbourKind::Solid, *scene.shapes.back(), pose, pose));
  return scene.neighbours.back();
}

inline Vec3 nearest_on(const Triangle& t, const Vec3& p) {
  const double above = dot(t.normal, p - t.corner[0]);
  const Vec3 foot = p - t.normal * above;
  bool inside = true;
  Vec3 best;
  double least = 1e300;
  for (int i = 0; i < 3; ++i) {
    const Vec3& a = t.corner[i];
    const Vec3 edge = t.corner[(i + 1) % 3] - a;
    inside = inside && dot(cross(t.normal, edge), foot - a) >= 0;
    const Vec3 on = a + edge * std::clamp(dot(edge, p - a) / dot(edge, edge), 0.0, 1.0);
    if (distance(on, p) < least) {
      least = distance(on, p);
      best = on;
    }
  }
  return inside ? foot : best;
}

/// Depth of the actor's capsule in the triangles of levels that it is in front of; negative without
/// contact. Sampled, and independent of the code under test.
inline double depth_in_meshes_m(const Scene& scene) {
  double deepest = -1e9;
  const double half_axis = scene.params.height_m / 2 - scene.params.radius_m;
  for (const Neighbour& n : scene.neighbours) {
    if (!n.shape->is_level()) continue;
    const Vec3 at = inverse_transform(n.pose, scene.state.position);
    const auto look = [&](const Triangle& t) {
      if (dot(t.normal, at - t.corner[0]) <= 0) return;
      for (int k = 0; k <= 20; ++k) {
        const Vec3 arm{0, half_axis * (k / 10.0 - 1), 0};
        const Vec3 p = inverse_transform(n.pose, scene.state.position + arm);
        deepest = std::max(deepest, scene.params.radius_m - distance(nearest_on(t, p), p));
      }
    };
    n.shape->for_each_surface([&](const auto& surface, bool of_a_hull) {
      if (of_a_hull) return;
      surface.for_each_near(inflated({at, at}, 1),
                            [&](const Facet& facet) { look(Triangle(facet)); });
    });
  }
  return deepest;
}

inline void add_to(StateHash& hash, const ActorState& state) {
  hash.add(state.position.x).add(state.position.y).add(state.position.z);
  hash.add(state.velocity.x).add(state.velocity.y).add(state.velocity.z);
  hash.add(state.ground).add(state.flags).add(state.coyote_ticks).add(state.jump_ticks);
}

}  // namespace perigee::world
