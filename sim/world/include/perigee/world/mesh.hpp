/// Levels of triangles: one-sided surfaces with a tree above them, checked when they are made.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/bounds.hpp"
#include "perigee/world/float_query.hpp"

namespace perigee::world {

/// The material of triangles.
struct SurfaceMaterial {
  std::uint16_t surface = 0;  ///< a number of the game's own, which contacts tell; 0: none
  float friction = 0.6F;      ///< for bodies, instead of the type's
};

/// The input of a mesh, e.g. from a level's file or a generator.
struct MeshSource {
  std::vector<Vec3f> corners;  ///< metres; those in the same place become one
  /// Corners of each triangle, counter-clockwise as seen from its front.
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Each triangle has two fronts. For fences and the like: nothing could leave the inside of a
  /// closed body with two fronts, so such a mesh is refused.
  bool two_sided = false;
  /// At most `Mesh::materials_max`. Without any, triangles have the friction of their type.
  std::vector<SurfaceMaterial> materials;
  std::vector<std::uint8_t> material_of;  ///< index for each triangle; empty without materials
};

/// One triangle of a level, in any frame.
struct Facet {
  Vec3 corner[3];
  Bounds bounds;
  std::uint8_t edges = 0;   ///< Mesh::edges()
  std::uint32_t index = 0;  ///< in its mesh or heightfield

  Facet() = default;
  Facet(const Vec3& a, const Vec3& b, const Vec3& c, const Bounds& around, std::uint8_t edge_bits,
        std::uint32_t of)
      : corner{a, b, c}, bounds(around), edges(edge_bits), index(of) {}
  Facet(const Vec3& a, const Vec3& b, const Vec3& c, std::uint8_t edge_bits, std::uint32_t of)
      : Facet(a, b, c, bounds_of(a, b, c), edge_bits, of) {}

  static Bounds bounds_of(const Vec3& a, const Vec3& b, const Vec3& c) {
    const auto least = [](double p, double q, double r) { return std::min(std::min(p, q), r); };
    const auto most = [](double p, double q, double r) { return std::max(std::max(p, q), r); };
    return {{least(a.x, b.x, c.x), least(a.y, b.y, c.y), least(a.z, b.z, c.z)},
            {most(a.x, b.x, c.x), most(a.y, b.y, c.y), most(a.z, b.z, c.z)}};
  }
};
/// The same as steps and rays use it.
struct Triangle : Facet {
  Vec3 normal;  ///< of length 1, towards the front

  Triangle() = default;
  explicit Triangle(const Facet& facet)
      : Facet(facet), normal(normalized(cross(corner[1] - corner[0], corner[2] - corner[0]))) {}
};

/// Immutable; shared by pointer. Nothing exists behind a triangle: there is no inside. A body that
/// pushes actors out of itself is made of boxes.
class Mesh {
 public:
  static constexpr std::uint32_t leaf_triangles_max = 4;
  /// With the second fronts of a two-sided mesh. The physics engine has 21 bits for an index; 84
  /// MB.
  static constexpr std::uint32_t triangles_max = 1U << 21;
  static constexpr std::size_t materials_max = 255;
  static constexpr float friction_max = 10;
  static constexpr double height_min_m = 1e-4;        ///< thinner triangles have no normal
  static constexpr double coordinate_max_m = 32'768;  ///< there, floats are 2 mm apart

  /// An error names the triangle and what is wrong with it.
  static Result<std::shared_ptr<const Mesh>> make(const MeshSource& source);

  std::size_t memory_bytes() const;
  /// The source of an equal mesh: the same order, edges and hash.
  MeshSource source() const;

  /// In tree order, which depends on the triangles' places alone, not on their order in the source.
  std::span<const Vec3f> corners() const { return corners_; }
  std::span<const std::array<std::uint32_t, 3>> triangles() const { return triangles_; }
  const Bounds& bounds() const { return bounds_; }
  /// Of everything that steps and rays depend on.
  std::uint64_t hash() const { return hash_; }

  /// Two bits for each edge of a triangle, the one from its corner i to the next: i and i + 3.
  /// None: a capsule touches a face before the edge. `gentle_edge`: it can touch the edge, but a
  /// touch counts as one of the face. `sharp_edge`: the edge has directions of its own. `border`:
  /// too, and no other triangle is beyond it.
  static constexpr std::uint8_t gentle_edge = 1;
  static constexpr std::uint8_t border = 8;
  static constexpr std::uint8_t sharp_edge = gentle_edge | border;
  static constexpr std::uint8_t second_front = 64;  ///< of a two-sided mesh
  std::uint8_t edges(std::uint32_t triangle) const { return edges_[triangle]; }
  static std::uint8_t edge_of(std::uint8_t edges, int i) {
    return static_cast<std::uint8_t>(edges >> i & sharp_edge);
  }
  Vec3 corner(std::uint32_t triangle, std::size_t i) const {
    return to_double(corners_[triangles_[triangle][i]]);
  }
  Triangle triangle(std::uint32_t index) const {
    return Triangle(
        Facet(corner(index, 0), corner(index, 1), corner(index, 2), edges_[index], index));
  }
  /// Null: it has none of its own.
  const SurfaceMaterial* material(std::uint32_t triangle) const {
    return materials_.empty() ? nullptr : &materials_[material_of_[triangle]];
  }
  std::uint16_t surface(std::uint32_t triangle) const {
    return materials_.empty() ? std::uint16_t{} : materials_[material_of_[triangle]].surface;
  }

  /// Calls visit(const Facet&) for the triangles with bounds that overlap `query`, in tree order.
  template <class Visit>
  void for_each_near(const Bounds& query, Visit&& visit) const;
  /// The nearest triangle with its front towards the ray, up to `range_m` along `direction` (of
  /// length 1).
  struct RayHit {
    double away_m = 0;
    std::uint32_t triangle = 0;
  };
  std::optional<RayHit> cast_ray(const Vec3& from, const Vec3& direction, double range_m) const;

 private:
  friend class MeshBuilder;
  /// Depth-first; an inner node's left child follows it directly. `skip` is the node after the
  /// whole subtree, so that a walk needs no stack.
  struct Node {
    FloatBounds bounds;
    std::uint32_t skip = 0;
    std::uint32_t leaf = 0;  ///< first triangle * 8 + number of triangles; 0 for inner nodes
  };
  static_assert(sizeof(Node) == 32);
  Mesh() = default;

  std::vector<Vec3f> corners_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<std::uint8_t> edges_;
  std::vector<SurfaceMaterial> materials_;
  std::vector<std::uint8_t> material_of_;
  std::vector<Node> nodes_;
  Bounds bounds_;
  std::uint64_t hash_ = 0;
};
using MeshPtr = std::shared_ptr<const Mesh>;

template <class Visit>
void Mesh::for_each_near(const Bounds& query, Visit&& visit) const {
  const FloatQuery near(query);
  const Node* const nodes = nodes_.data();
  const auto end = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t at = 0; at < end;) {
    const Node& node = nodes[at];
    if (!near.overlaps(node.bounds)) {
      at = node.skip;
      continue;
    }
    for (std::uint32_t i = node.leaf / 8; i < node.leaf / 8 + node.leaf % 8; ++i) {
      const auto& [a, b, c] = triangles_[i];
      const auto bounds = near.overlap_of(corners_[a], corners_[b], corners_[c]);
      if (!bounds) continue;
      visit(Facet(to_double(corners_[a]), to_double(corners_[b]), to_double(corners_[c]), *bounds,
                  edges_[i], i));
    }
    ++at;
  }
}

}  // namespace perigee::world
