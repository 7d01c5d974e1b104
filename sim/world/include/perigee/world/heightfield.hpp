/// Terrain as a grid of heights. Its triangles are touched like those of a mesh, and take less than
/// a tenth of the memory.
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
#include "perigee/world/mesh.hpp"

namespace perigee::world {

/// The edge that divides each cell into two triangles.
enum class Diagonals : std::uint8_t {
  Falling,      ///< from the corner with the smallest x and z
  Rising,       ///< between the other two corners
  Alternating,  ///< falling in the first cell, then by turns along x and along z
  last = Alternating
};

/// The input of a heightfield, e.g. from a level's file.
struct HeightfieldSource {
  std::uint32_t columns = 0;    ///< samples along x
  std::uint32_t rows = 0;       ///< samples along z
  double spacing_m = 1;         ///< between samples, along x and along z
  double height_step_m = 0.01;  ///< for a difference of 1 between two samples
  double low_m = 0;             ///< height of a sample of 0
  Diagonals diagonals = Diagonals::Falling;
  /// Row by row; the first row has the smallest z, and each begins with the smallest x. The middle
  /// of the field is at x = 0, z = 0. Fronts are up.
  std::vector<std::uint16_t> heights;
  /// At most `Mesh::materials_max`. Without any, triangles have the friction of their type.
  std::vector<SurfaceMaterial> materials;
  /// For each cell, in the order of the samples: the index of its material, 0 without materials, or
  /// `Heightfield::hole`. Empty: no materials, no holes.
  std::vector<std::uint8_t> cells;
};

/// Immutable; shared by pointer. As with a mesh, nothing exists below its surface.
class Heightfield {
 public:
  static constexpr std::uint8_t hole = 255;  ///< a cell without triangles
  static constexpr std::uint32_t side_samples_max = 8193;
  static constexpr double spacing_min_m = 0.01;
  static constexpr std::uint32_t block_cells = 8;  ///< side of the squares with known lowest and
                                                   ///< highest samples

  /// An error names the number that is wrong.
  static Result<std::shared_ptr<const Heightfield>> make(HeightfieldSource source);

  const HeightfieldSource& source() const { return source_; }
  std::size_t memory_bytes() const;
  std::uint32_t columns() const { return source_.columns; }
  std::uint32_t rows() const { return source_.rows; }
  /// Two for each cell that is no hole.
  std::size_t triangle_count() const { return triangles_; }
  const Bounds& bounds() const { return bounds_; }
  /// Of everything that steps and rays depend on.
  std::uint64_t hash() const { return hash_; }

  bool is_hole(std::uint32_t column, std::uint32_t row) const {
    return !source_.cells.empty() && source_.cells[cell(column, row)] == hole;
  }
  double height_m(std::uint32_t column, std::uint32_t row) const {
    return height_of(source_.heights[sample(column, row)]);
  }
  Vec3 place(std::uint32_t column, std::uint32_t row) const {
    return {x_of(column), height_m(column, row), z_of(row)};
  }
  /// Corners of a cell's triangles, counter-clockwise as seen from above, as indices of the
  /// cell's corners: (0, 0), (0, 1), (1, 1), (1, 0) in columns and rows from its first one.
  using Split = std::array<std::array<std::uint8_t, 3>, 2>;
  const Split& split(std::uint32_t column, std::uint32_t row) const {
    return splits[rises(column, row) ? 1 : 0];
  }
  bool rises(std::uint32_t column, std::uint32_t row) const {
    return source_.diagonals == Diagonals::Rising ||
           (source_.diagonals == Diagonals::Alternating && (column + row) % 2 == 1);
  }

  /// Index of the first of the cell's two triangles.
  std::uint32_t index(std::uint32_t column, std::uint32_t row) const {
    return cell(column, row) * 2;
  }
  /// Its cell has to be no hole.
  Triangle triangle(std::uint32_t index) const;
  /// Null: it has none of its own.
  const SurfaceMaterial* material(std::uint32_t triangle) const {
    return source_.materials.empty() ? nullptr : &source_.materials[source_.cells[triangle / 2]];
  }
  std::uint16_t surface(std::uint32_t triangle) const {
    const SurfaceMaterial* of = material(triangle);
    return of == nullptr ? std::uint16_t{} : of->surface;
  }

  /// Calls visit(column, row) for the cells that overlap `query`, without holes, in an order that
  /// does not depend on the query.
  template <class Visit>
  void for_each_cell_near(const Bounds& query, Visit&& visit) const;
  /// Calls visit(const Facet&) for the triangles of those cells: see Mesh::for_each_near.
  template <class Visit>
  void for_each_near(const Bounds& query, Visit&& visit) const;
  /// See Mesh::cast_ray.
  std::optional<Mesh::RayHit> cast_ray(const Vec3& from, const Vec3& direction,
                                       double range_m) const;

 private:
  friend class HeightfieldBuilder;
  friend class HeightfieldRay;
  static constexpr std::array<Split, 2> splits{Split{{{0, 1, 2}, {0, 2, 3}}},
                                               Split{{{0, 1, 3}, {3, 1, 2}}}};
  /// Where an edge bends: its bits in a cell's byte, and as those of Mesh::edges() by that value.
  static constexpr int diagonal_at = 0;
  static constexpr int west_at = 2;   ///< of the cell's own edge with the smallest x
  static constexpr int north_at = 4;  ///< of the one with the smallest z
  static constexpr std::uint8_t border_bits = 2;
  static constexpr std::array<std::uint8_t, 4> edge_kinds{0, Mesh::gentle_edge, Mesh::border,
                                                          Mesh::sharp_edge};
  struct LowHigh {
    std::uint16_t low = 0;
    std::uint16_t high = 0;
  };
  /// Squares of `block_cells` cells, or of twice as many with each level.
  struct Level {
    std::uint32_t columns = 0;
    std::uint32_t rows = 0;
    std::vector<LowHigh> squares;
  };
  struct CellRange {
    std::uint32_t column_begin = 0, column_end = 0;
    std::uint32_t row_begin = 0, row_end = 0;
  };
  Heightfield() = default;

  std::size_t sample(std::uint32_t column, std::uint32_t row) const {
    return std::size_t{row} * source_.columns + column;
  }
  std::uint32_t cell(std::uint32_t column, std::uint32_t row) const {
    return row * (source_.columns - 1) + column;
  }
  double x_of(std::uint32_t column) const { return (column - middle_column_) * source_.spacing_m; }
  double z_of(std::uint32_t row) const { return (row - middle_row_) * source_.spacing_m; }
  double height_of(std::uint16_t height) const {
    return source_.low_m + height * source_.height_step_m;
  }
  bool overlaps(const LowHigh& heights, const Bounds& query) const {
    return height_of(heights.low) <= query.high.y && height_of(heights.high) >= query.low.y;
  }
  LowHigh low_high(std::uint32_t column, std::uint32_t row) const {
    const std::uint16_t* first = &source_.heights[sample(column, row)];
    const std::uint16_t* second = first + source_.columns;
    return {std::min(std::min(first[0], first[1]), std::min(second[0], second[1])),
            std::max(std::max(first[0], first[1]), std::max(second[0], second[1]))};
  }
  /// Bits of the second triangle's edges, if `second`; see Mesh::edges().
  std::uint8_t edges(std::uint32_t column, std::uint32_t row, bool second) const;
  CellRange cells_near(const Bounds& query) const;

  HeightfieldSource source_;
  double middle_column_ = 0;
  double middle_row_ = 0;
  std::vector<std::uint8_t> edges_;  ///< of each cell: diagonal, west and north
  std::vector<Level> levels_;        ///< from the finest to one square
  std::size_t triangles_ = 0;
  Bounds bounds_;
  std::uint64_t hash_ = 0;
};
using HeightfieldPtr = std::shared_ptr<const Heightfield>;

template <class Visit>
void Heightfield::for_each_cell_near(const Bounds& query, Visit&& visit) const {
  const CellRange near = cells_near(query);
  const auto blocks_end = [](std::uint32_t cells) {
    return (cells + block_cells - 1) / block_cells;
  };
  const Level& blocks = levels_.front();
  for (std::uint32_t j = near.row_begin / block_cells; j < blocks_end(near.row_end); ++j) {
    for (std::uint32_t i = near.column_begin / block_cells; i < blocks_end(near.column_end); ++i) {
      if (!overlaps(blocks.squares[std::size_t{j} * blocks.columns + i], query)) continue;
      const std::uint32_t row_end = std::min(near.row_end, (j + 1) * block_cells);
      const std::uint32_t column_end = std::min(near.column_end, (i + 1) * block_cells);
      for (std::uint32_t row = std::max(near.row_begin, j * block_cells); row < row_end; ++row) {
        for (std::uint32_t column = std::max(near.column_begin, i * block_cells);
             column < column_end; ++column) {
          if (overlaps(low_high(column, row), query) && !is_hole(column, row)) visit(column, row);
        }
      }
    }
  }
}

inline std::uint8_t Heightfield::edges(std::uint32_t column, std::uint32_t row, bool second) const {
  const std::uint32_t own = cell(column, row);
  const auto kind = [&](std::uint32_t of, int at) { return edge_kinds[edges_[of] >> at & 3]; };
  const std::uint8_t diagonal = kind(own, diagonal_at);
  const auto west = [&] { return kind(own, west_at); };
  const auto north = [&] { return kind(own, north_at); };
  const auto east = [&] {
    return column + 2 < source_.columns ? kind(own + 1, west_at) : edge_kinds[border_bits];
  };
  const auto south = [&] {
    return row + 2 < source_.rows ? kind(own + source_.columns - 1, north_at)
                                  : edge_kinds[border_bits];
  };
  const auto bits = [](std::uint8_t a, std::uint8_t b, std::uint8_t c) {
    return static_cast<std::uint8_t>(a | b << 1 | c << 2);
  };
  if (rises(column, row)) {
    return second ? bits(diagonal, south(), east()) : bits(west(), diagonal, north());
  }
  return second ? bits(diagonal, east(), north()) : bits(west(), south(), diagonal);
}

template <class Visit>
void Heightfield::for_each_near(const Bounds& query, Visit&& visit) const {
  for_each_cell_near(query, [&](std::uint32_t column, std::uint32_t row) {
    const Vec3 corners[4] = {place(column, row), place(column, row + 1), place(column + 1, row + 1),
                             place(column + 1, row)};
    const Split& of = split(column, row);
    for (std::uint32_t i = 0; i < 2; ++i) {
      visit(Facet(corners[of[i][0]], corners[of[i][1]], corners[of[i][2]],
                  edges(column, row, i == 1), index(column, row) + i));
    }
  });
}

}  // namespace perigee::world
