#include "perigee/world/heightfield.hpp"

#include <cmath>

#include "heightfield_builder.hpp"
#include "perigee/world/ray.hpp"
#include "triangle.hpp"

namespace perigee::world {
namespace {

constexpr double beside_m = 1e-6;  // more than any rounding

}  // namespace

Result<HeightfieldPtr> Heightfield::make(HeightfieldSource source) {
  return HeightfieldBuilder(std::move(source)).build();
}

std::size_t Heightfield::memory_bytes() const {
  std::size_t out =
      source_.heights.size() * sizeof(source_.heights[0]) + source_.cells.size() + edges_.size();
  for (const Level& level : levels_) out += level.squares.size() * sizeof(level.squares[0]);
  return out;
}

Triangle Heightfield::triangle(std::uint32_t index) const {
  const std::uint32_t cells = source_.columns - 1;
  const std::uint32_t column = index / 2 % cells;
  const std::uint32_t row = index / 2 / cells;
  const auto& corners = split(column, row)[index % 2];
  const auto corner = [&](std::size_t i) {
    const std::uint32_t of = corners[i];
    return place(column + (of >= 2 ? 1 : 0), row + (of == 1 || of == 2 ? 1 : 0));
  };
  const Vec3 a = corner(0);
  const Vec3 b = corner(1);
  const Vec3 c = corner(2);
  return Triangle(Facet(a, b, c, edges(column, row, index % 2 == 1), index));
}

Heightfield::CellRange Heightfield::cells_near(const Bounds& query) const {
  // Any number may be asked for, also one that is none.
  const auto clamped = [](double value, std::uint32_t most) {
    if (!(value > 0)) return std::uint32_t{0};
    return value >= most ? most : static_cast<std::uint32_t>(value);
  };
  const auto range = [&](double low, double high, double middle, std::uint32_t samples,
                         std::uint32_t& begin, std::uint32_t& end) {
    const double from = (low - beside_m) / source_.spacing_m + middle;
    const double to = (high + beside_m) / source_.spacing_m + middle;
    begin = clamped(from, samples - 1);
    end = to < 0 ? 0 : clamped(to + 1, samples - 1);
  };
  CellRange out;
  range(query.low.x, query.high.x, middle_column_, source_.columns, out.column_begin,
        out.column_end);
  range(query.low.z, query.high.z, middle_row_, source_.rows, out.row_begin, out.row_end);
  return out;
}

/// A ray on its way through ever smaller squares, nearer ones first.
class HeightfieldRay {
 public:
  HeightfieldRay(const Heightfield& field, const Vec3& from, const Vec3& direction, double range_m)
      : field_(field), from_(from), direction_(direction), range_m_(range_m) {}

  std::optional<Mesh::RayHit> cast() {
    look(field_.levels_.size() - 1, 0, 0);
    return nearest_;
  }

 private:
  void look(std::size_t level, std::uint32_t column, std::uint32_t row) {
    const Heightfield::Level& of = field_.levels_[level];
    if (column >= of.columns || row >= of.rows) return;
    const Bounds square = bounds(level, column, row);
    const double range_m = nearest_ ? nearest_->away_m : range_m_;
    const auto span = ray_inside(square, from_, direction_, range_m);
    if (!span) return;
    if (level == 0) return look_at_cells(*span);
    const std::uint32_t first_column = direction_.x < 0 ? 1 : 0;
    const std::uint32_t first_row = direction_.z < 0 ? 1 : 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      look(level - 1, 2 * column + ((i & 1) ^ first_column), 2 * row + ((i >> 1) ^ first_row));
    }
  }

  Bounds bounds(std::size_t level, std::uint32_t column, std::uint32_t row) const {
    const std::uint32_t side = Heightfield::block_cells << level;
    const Heightfield::Level& of = field_.levels_[level];
    const auto& heights = of.squares[std::size_t{row} * of.columns + column];
    const std::uint32_t last_column = std::min((column + 1) * side, field_.columns() - 1);
    const std::uint32_t last_row = std::min((row + 1) * side, field_.rows() - 1);
    return inflated(
        {{field_.x_of(column * side), field_.height_of(heights.low), field_.z_of(row * side)},
         {field_.x_of(last_column), field_.height_of(heights.high), field_.z_of(last_row)}},
        beside_m);
  }

  void look_at_cells(const RaySpan& span) {
    const Vec3 a = from_ + direction_ * span.enters;
    const Vec3 b = from_ + direction_ * span.leaves;
    const Bounds path = inflated(Facet::bounds_of(a, b, b), beside_m);
    field_.for_each_near(path, [&](const Facet& facet) {
      const auto away_m = world::cast_ray(Triangle(facet), from_, direction_, range_m_);
      if (away_m && (!nearest_ || *away_m < nearest_->away_m)) {
        nearest_ = Mesh::RayHit{*away_m, facet.index};
      }
    });
  }

  const Heightfield& field_;
  Vec3 from_, direction_;
  double range_m_ = 0;
  std::optional<Mesh::RayHit> nearest_;
};

std::optional<Mesh::RayHit> Heightfield::cast_ray(const Vec3& from, const Vec3& direction,
                                                  double range_m) const {
  return HeightfieldRay(*this, from, direction, range_m).cast();
}

}  // namespace perigee::world
