/// The triangles around one actor during one step.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
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
    [[gnu::always_inline]] bool meets(const Bounds& other) const {
      // Without branches, which could not be predicted.
      const auto twice_gap = [](double low, double high, double other_low, double other_high) {
        const double below = low - other_high;
        const double above = other_low - high;
        const double gap = above > below ? above : below;
        return gap + std::abs(gap);
      };
      const double x = twice_gap(core.low.x, core.high.x, other.low.x, other.high.x);
      const double y = twice_gap(core.low.y, core.high.y, other.low.y, other.high.y);
      const double z = twice_gap(core.low.z, core.high.z, other.low.z, other.high.z);
      return x * x + y * y + z * z <= 4 * reach_m * reach_m;
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
      for_each_of(owner, query, [&](const Facet& facet) { visit(Triangle(facet), owner); });
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
    surface.for_each_near(inside, [&](Facet facet) {
      if (!in_place) {
        const auto& [a, b, c] = facet.corner;
        facet = {transform(pose, a), transform(pose, b), transform(pose, c), facet.edges,
                 facet.index};
      }
      if (of_a_hull) facet.index = no_triangle;
      if (query.meets(facet.bounds)) visit(facet);
    });
  }

  std::span<const Neighbour> neighbours_;
  bool empty_ = true;
  Scratch& near_ = scratch();
  std::size_t count_ = 0;
  Query covered_{.core = nowhere};  ///< all triangles that meet it are prepared
};

}  // namespace perigee::world
