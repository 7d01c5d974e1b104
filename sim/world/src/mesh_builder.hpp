/// Checks a mesh's source, finds out how its edges are touched, and builds the tree.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "perigee/world/mesh.hpp"

namespace perigee::world {

class MeshBuilder {
 public:
  explicit MeshBuilder(const MeshSource& source) : source_(source) {}
  Result<MeshPtr> build();

 private:
  using Corners = std::array<std::uint32_t, 3>;
  /// One side of an edge. Both triangles at an edge have one.
  struct Side {
    std::uint32_t low = 0, high = 0;  ///< its corners
    bool back = false;                ///< of a two-sided mesh's second fronts
    bool forward = false;             ///< the triangle goes from `low` to `high`
    std::uint32_t triangle = 0;
    std::uint32_t edge = 0;
  };

  std::optional<Error> check_numbers() const;
  std::optional<Error> check_materials() const;
  void weld();
  std::optional<Error> check_heights() const;
  std::optional<Error> check_duplicates() const;
  void add_backs();
  std::optional<Error> bake_edges();
  std::optional<Error> bake_pair(const Side& a, const Side& b);
  void mark(const Side& side, std::uint8_t edge);
  void build_tree(std::span<std::uint32_t> order, std::uint32_t first);
  void take_order();
  void take_hash();

  Vec3 corner(std::uint32_t triangle, std::uint32_t i) const {
    return to_double(mesh_.corners_[mesh_.triangles_[triangle][i % 3]]);
  }
  Vec3 normal(std::uint32_t triangle) const;
  bool comes_before(std::uint32_t a, std::uint32_t b, int axis) const;

  const MeshSource& source_;
  Mesh mesh_;
  std::uint32_t fronts_ = 0;  ///< triangles without those that were added for two-sided meshes
};

}  // namespace perigee::world
