/// Checks a heightfield's source, finds out how its edges are touched, and builds its pyramid.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bend.hpp"
#include "perigee/world/heightfield.hpp"

namespace perigee::world {

class HeightfieldBuilder {
 public:
  explicit HeightfieldBuilder(HeightfieldSource source) { field_.source_ = std::move(source); }
  Result<HeightfieldPtr> build();

 private:
  std::optional<Error> check_size() const;
  std::optional<Error> check_numbers() const;
  std::optional<Error> check_cells() const;
  enum class Side { West, North, East, South };
  /// The triangle of the cell at one of its four edges.
  EdgeSide side(std::uint32_t column, std::uint32_t row, Side at) const;
  void take_normals(std::uint32_t row);
  /// One of the cell's triangles; `far` is the corner beyond the edge.
  EdgeSide half(std::uint32_t column, std::uint32_t row, std::size_t second,
                std::uint8_t far) const;
  /// Bits of the edge between two cells, of which the first may be beyond the field's border.
  std::uint8_t edge_between(bool inside, std::uint32_t column, std::uint32_t row, Side own) const;
  Vec3 corner(std::uint32_t column, std::uint32_t row, std::uint8_t of) const;
  void bake_edges();
  void build_levels();
  void take_hash();

  Heightfield field_;
  std::vector<Vec3> normals_[2];  ///< of the triangles in a row and in the row before it
};

}  // namespace perigee::world
