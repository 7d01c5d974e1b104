#include "engine_heightfield.hpp"

#include <algorithm>
#include <cmath>

#include "bullet_convert.hpp"

namespace perigee::world {
namespace {

constexpr double sinks_most = 2;  // times: slopes of more than 60 degrees lie less deep

}  // namespace

EngineHeightfield::EngineHeightfield(const Heightfield& field, double margin_m, double rest_gap_m)
    : field_(field), sunk_m_(margin_m - rest_gap_m) {
  m_shapeType = heightfield_type;
  setMargin(margin_m);
}

btVector3 EngineHeightfield::sunk(std::uint32_t column, std::uint32_t row) const {
  const std::uint32_t columns = field_.columns();
  const std::uint32_t rows = field_.rows();
  double steepest = 0;  // squared, in m per sample
  for (std::uint32_t i = row > 0 ? row - 1 : 0; i < std::min(row + 1, rows - 1); ++i) {
    for (std::uint32_t k = column > 0 ? column - 1 : 0; k < std::min(column + 1, columns - 1);
         ++k) {
      if (field_.is_hole(k, i)) continue;
      const double heights[4] = {field_.height_m(k, i), field_.height_m(k, i + 1),
                                 field_.height_m(k + 1, i + 1), field_.height_m(k + 1, i)};
      for (const auto& of : field_.split(k, i)) {
        // Of each half, one edge is along x and one along z.
        const auto has = [&](int corner) {
          return std::find(of.begin(), of.end(), corner) != of.end();
        };
        const int own = column == k ? (row == i ? 0 : 1) : (row == i ? 3 : 2);
        if (!has(own)) continue;
        const double along_x = has(0) && has(3) ? heights[3] - heights[0] : heights[2] - heights[1];
        const double along_z = has(0) && has(1) ? heights[1] - heights[0] : heights[2] - heights[3];
        steepest = std::max(steepest, along_x * along_x + along_z * along_z);
      }
    }
  }
  const double spacing_m = field_.source().spacing_m;
  const double by = std::min(std::sqrt(1 + steepest / (spacing_m * spacing_m)), sinks_most);
  Vec3 at = field_.place(column, row);
  at.y -= by * sunk_m_;
  return to_bullet(at);
}

void EngineHeightfield::processAllTriangles(btTriangleCallback* callback, const btVector3& low,
                                            const btVector3& high) const {
  Bounds query{from_bullet(low), from_bullet(high)};
  query.high.y += sinks_most * sunk_m_;
  field_.for_each_cell_near(query, [&](std::uint32_t column, std::uint32_t row) {
    const btVector3 corners[4] = {sunk(column, row), sunk(column, row + 1),
                                  sunk(column + 1, row + 1), sunk(column + 1, row)};
    const auto& split = field_.split(column, row);
    for (std::uint32_t half = 0; half < 2; ++half) {
      btVector3 triangle[3];
      for (std::size_t i = 0; i < 3; ++i) triangle[i] = corners[split[half][i]];
      callback->processTriangle(triangle, 0, static_cast<int>(field_.index(column, row) + half));
    }
  });
}

void EngineHeightfield::getAabb(const btTransform& at, btVector3& low, btVector3& high) const {
  Bounds all = field_.bounds();
  all.low.y -= sinks_most * sunk_m_;
  btTransformAabb(to_bullet(all.low), to_bullet(all.high), getMargin(), at, low, high);
}

}  // namespace perigee::world
