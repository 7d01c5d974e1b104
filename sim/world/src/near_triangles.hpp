/// The triangles around one actor during one step.
#pragma once

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "inverse_pose.hpp"
#include "perigee/world/neighbour.hpp"

namespace perigee::world {

/// Above this number of triangles near an actor, they are not prepared in advance: each sweep finds
/// its own in the tree. That is slower, and otherwise the same.
inline constexpr std::size_t near_triangles_max = 512;
/// The index of hulls' triangles, which have no material.
inline constexpr std::uint32_t no_triangle = 0xffffffff;

class NearTriangles {
 public:
  /// The solid neighbours' meshes, heightfields and hulls count, at their new poses.
  explicit NearTriangles(std::span<const Neighbour> neighbours);
  bool empty() const { return empty_; }
  /// Everything within `reach_m` of `core`.
  struct Query {
    Bounds core;
    double reach_m = 0;

    Bounds bounds() const { return inflated(core, reach_m); }
    bool meets(const Bounds& other) const {
      const auto gap = [](double low, double high, double other_low, double other_high) {
        return std::max(std::max(other_low - high, low - other_high), 0.0);
      };
      const double x = gap(core.low.x, core.high.x, other.low.x, other.high.x);
      const double y = gap(core.low.y, core.high.y, other.low.y, other.high.y);
      const double z = gap(core.low.z, core.high.z, other.low.z, other.high.z);
      return x * x + y * y + z * z <= reach_m * reach_m;
    }
  };
  /// Prepares all triangles that meet `around`. Returns how many.
  std::size_t gather(const Query& around);
  /// Calls visit(const Triangle&, const Neighbour& owner) for all triangles with bounds that meet
  /// `query`: each neighbour's in tree order, whether they were prepared or not.
  template <class Visit>
  void for_each(const Query& query, Visit&& visit) const {
    if (covered_.core.encloses(query.core) && query.reach_m <= covered_.reach_m) {
      for (std::size_t i = 0; i < count_; ++i) {
        if (query.meets(near_.bounds[i])) visit(near_.triangles[i], *near_.owners[i]);
      }
      return;
    }
    for (const Neighbour& owner : neighbours_) {
      for_each_of(
          owner, query,
          [&](const Vec3& a, const Vec3& b, const Vec3& c, std::uint8_t edges, std::uint32_t i,
              const Bounds& bounds) { visit(Triangle(a, b, c, bounds, edges, i), owner); });
    }
  }

 private:
  struct Scratch {
    std::array<Bounds, near_triangles_max> bounds;  ///< apart, because most triangles are not met
    std::array<Triangle, near_triangles_max> triangles;
    std::array<const Neighbour*, near_triangles_max> owners;
  };
  static Scratch& scratch();
  static bool counts(const Neighbour& neighbour) {
    return neighbour.kind == NeighbourKind::Solid && neighbour.shape->has_triangles();
  }

  template <class Visit>
  static void for_each_of(const Neighbour& owner, const Query& query, Visit&& visit) {
    if (!counts(owner)) return;
    const bool in_place = owner.pose == Pose{};
    const Bounds around = query.bounds();
    const Bounds inside = in_place ? around : transformed(inverse(owner.pose), around);
    owner.shape->for_each_surface([&](const auto& surface, bool of_a_hull) {
      for_each_in(surface, of_a_hull, owner.pose, query, inside, visit);
    });
  }
  /// `inside` is the query in the owner's frame.
  template <class Surface, class Visit>
  static void for_each_in(const Surface& surface, bool of_a_hull, const Pose& pose,
                          const Query& query, const Bounds& inside, Visit&& visit) {
    const bool in_place = pose == Pose{};
    const auto index = [&](std::uint32_t i) { return of_a_hull ? no_triangle : i; };
    surface.for_each_triangle_near(inside, [&](const Vec3& a, const Vec3& b, const Vec3& c,
                                               std::uint8_t edges, std::uint32_t i) {
      const Bounds own = Triangle::bounds_of(a, b, c);
      if (in_place) {
        if (query.meets(own)) visit(a, b, c, edges, index(i), own);
        return;
      }
      if (!overlap(own, inside)) return;
      const Vec3 p = transform(pose, a);
      const Vec3 q = transform(pose, b);
      const Vec3 r = transform(pose, c);
      const Bounds there = Triangle::bounds_of(p, q, r);
      if (query.meets(there)) visit(p, q, r, edges, index(i), there);
    });
  }

  std::span<const Neighbour> neighbours_;
  bool empty_ = true;
  Scratch& near_ = scratch();
  std::size_t count_ = 0;
  Query covered_{.core = nowhere};  ///< all triangles that meet it are prepared
};

}  // namespace perigee::world
