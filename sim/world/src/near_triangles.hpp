/// The triangles around one actor during one step.
#pragma once

#include <span>

#include "inverse_pose.hpp"
#include "perigee/world/neighbour.hpp"

namespace perigee::world {

/// Above this number of triangles near an actor, they are not prepared in advance: each sweep finds
/// its own in the tree. That is slower, and otherwise the same.
inline constexpr std::size_t near_triangles_max = 512;

class NearTriangles {
 public:
  /// The solid neighbours' meshes count, at their new poses.
  explicit NearTriangles(std::span<const Neighbour> neighbours);
  /// Prepares all triangles that overlap `around`. Returns how many.
  std::size_t gather(const Bounds& around);
  bool empty() const { return empty_; }

  /// Calls visit(const Triangle&, const Neighbour& owner) for all triangles with bounds that
  /// overlap `query`: each neighbour's in tree order, whether they were prepared or not.
  template <class Visit>
  void for_each(const Bounds& query, Visit&& visit) const {
    if (covered_.contains(query)) {
      for (const Near& near : near_) {
        if (overlap(near.triangle.bounds, query)) visit(near.triangle, *near.owner);
      }
      return;
    }
    for (const Neighbour& owner : neighbours_) {
      for_each_of(owner, query, [&](const Triangle& triangle) { visit(triangle, owner); });
    }
  }

 private:
  struct Near {
    Triangle triangle;
    const Neighbour* owner = nullptr;
  };
  using Prepared = FixedVector<Near, near_triangles_max>;
  static Prepared& scratch();
  static bool counts(const Neighbour& neighbour) {
    return neighbour.kind == NeighbourKind::Solid && neighbour.shape->mesh() != nullptr;
  }

  template <class Visit>
  static void for_each_of(const Neighbour& owner, const Bounds& query, Visit&& visit) {
    if (!counts(owner)) return;
    const Mesh& mesh = *owner.shape->mesh();
    const bool in_place = owner.pose == Pose{};
    const Bounds inside = in_place ? query : transformed(inverse(owner.pose), query);
    mesh.for_each_near(inside, [&](std::uint32_t i) {
      const Triangle own = mesh.triangle(i);
      if (in_place) {
        if (overlap(own.bounds, query)) visit(own);
        return;
      }
      const Triangle there = turned(owner.pose, own);
      if (overlap(there.bounds, query)) visit(there);
    });
  }

  std::span<const Neighbour> neighbours_;
  bool empty_ = true;
  Prepared& near_ = scratch();
  Bounds covered_ = nowhere;  ///< all triangles that overlap it are prepared
};

}  // namespace perigee::world
