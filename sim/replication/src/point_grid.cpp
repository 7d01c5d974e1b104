#include "perigee/replication/point_grid.hpp"

#include <bit>
#include <cmath>

#include "perigee/base/assert.hpp"

namespace perigee::replication {
namespace {

constexpr auto steps_per_m = static_cast<float>(GridPosition::steps_per_m);

std::uint32_t cells_for(std::int32_t low, std::int32_t high, int shift) {
  return std::bit_ceil(static_cast<std::uint32_t>((high - low) >> shift) + 1);
}

}  // namespace

PointGrid::PointGrid(CellShape shape, std::size_t points_max, const GridScan& scan)
    : scan_(&scan), x_{shape.along_x_shift}, y_{shape.across_shift}, z_{shape.across_shift} {
  PERIGEE_ASSERT(points_max < hit_slots_max, "points_max: a hit has 30 bits for the slot");
  cell_of_point_.reserve(points_max);
  by_cell_.reserve(points_max);
  first_in_cell_.reserve(4 * std::bit_ceil(points_max + 1) + 1);
  columns_.for_each([&](auto& column) { column.reserve(points_max + slack); });
  rebuild({});
}

std::uint32_t PointGrid::cell_of(const GridPosition& at) const {
  return (y_.cell(at.y) * z_.cells + z_.cell(at.z)) * x_.cells + x_.cell(at.x);
}

// As wide as the extent of the points at the last build, but at most about four cells per point:
// beyond that the grid wraps around, and distant points only add candidates.
void PointGrid::choose_axes(std::size_t points) {
  x_.cells = cells_for(low_.x, high_.x, x_.shift);
  y_.cells = cells_for(low_.y, high_.y, y_.shift);
  z_.cells = cells_for(low_.z, high_.z, z_.shift);
  const std::uint64_t cells_max = 4 * std::bit_ceil(points + 1);
  while (std::uint64_t{x_.cells} * y_.cells * z_.cells > cells_max) {
    Axis* widest = x_.cells >= z_.cells ? &x_ : &z_;
    if (y_.cells > widest->cells) widest = &y_;
    widest->cells /= 2;
  }
}

void PointGrid::rebuild(std::span<const GridPoint> points) {
  choose_axes(points.size());
  drift_steps_ = 0;
  size_ = points.size();
  const std::size_t cells = std::size_t{x_.cells} * y_.cells * z_.cells;
  first_in_cell_.assign(cells + 1, 0);
  cell_of_point_.resize(size_);
  radius_max_m_ = reach_max_m_ = 0;
  if (size_ > 0) low_ = high_ = points[0].position;
  for (std::size_t i = 0; i < size_; ++i) {
    const GridPoint& point = points[i];
    const GridPosition& p = point.position;
    cell_of_point_[i] = cell_of(p);
    ++first_in_cell_[cell_of_point_[i] + 1];
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y), std::max(high_.z, p.z)};
    radius_max_m_ = std::max(radius_max_m_, point.radius_m);
    reach_max_m_ = std::max(reach_max_m_, point.reach_m);
  }
  for (std::size_t c = 1; c <= cells; ++c) first_in_cell_[c] += first_in_cell_[c - 1];
  // First sorts whole points, then splits them into columns: scattering a point into six columns
  // would miss the cache six times.
  by_cell_.resize(size_);
  for (std::size_t i = 0; i < size_; ++i) {  // afterwards each entry is its cell's end
    by_cell_[first_in_cell_[cell_of_point_[i]]++] = points[i];
  }
  columns_.for_each([&](auto& column) { column.resize(size_ + slack); });
  for (std::size_t i = 0; i < size_; ++i) {
    const GridPoint& point = by_cell_[i];
    columns_.x[i] = point.position.x;
    columns_.y[i] = point.position.y;
    columns_.z[i] = point.position.z;
    columns_.radius[i] = point.radius_m * steps_per_m;
    columns_.reach[i] = (point.marked ? -point.reach_m : point.reach_m) * steps_per_m;
    columns_.slot[i] = point.slot;
  }
  std::shift_right(first_in_cell_.begin(), first_in_cell_.end(), 1);
  first_in_cell_[0] = 0;
}

// Calls rows(first, last) for the members of every row of cells that the sphere touches.
template <class Rows>
void PointGrid::for_rows(const GridPosition& from, float within_m, Rows rows) const {
  if (size_ == 0) return;
  // Squares of larger distances would overflow, and no point is farther.
  constexpr float steps_max = 1 << 30;
  const float reach_steps = std::clamp((within_m + radius_max_m_) * steps_per_m, 0.F, steps_max);
  const auto reach = static_cast<std::int64_t>(reach_steps) + 1;
  const std::int64_t drift = drift_steps_;
  const auto first_row = [&](std::int32_t v, const Axis& axis) {
    return (v - reach - drift) >> axis.shift;
  };
  const auto row_count = [&](std::int32_t v, const Axis& axis) {
    const std::int64_t all = ((v + reach + drift) >> axis.shift) - first_row(v, axis) + 1;
    return std::min<std::int64_t>(all, axis.cells);
  };
  // Distance from a coordinate to the nearest possible member of a row. If the axis wraps around,
  // members in reach are at the row's unwrapped place, unless all rows are visited anyway.
  const auto away = [&](std::int32_t v, std::int64_t row, std::int64_t count, const Axis& axis) {
    if (count == axis.cells) return std::int64_t{0};
    const std::int64_t begin = (row << axis.shift) - drift;
    const std::int64_t end = begin + (std::int64_t{1} << axis.shift) - 1 + 2 * drift;
    return std::max({begin - v, v - end, std::int64_t{0}});
  };
  const std::int64_t y0 = first_row(from.y, y_), y_count = row_count(from.y, y_);
  const std::int64_t z0 = first_row(from.z, z_), z_count = row_count(from.z, z_);
  for (std::int64_t y = y0; y < y0 + y_count; ++y) {
    const std::int64_t dy = away(from.y, y, y_count, y_);
    for (std::int64_t z = z0; z < z0 + z_count; ++z) {
      const std::int64_t dz = away(from.z, z, z_count, z_);
      const auto left = static_cast<float>(reach * reach - dy * dy - dz * dz);
      if (left < 0) continue;
      // The error of single precision is below a millionth: a metre only beyond 1,000 km.
      const auto width = static_cast<std::int64_t>(std::sqrt(left)) + 2 + drift;
      const std::int64_t first = (from.x - width) >> x_.shift;
      const auto cells = static_cast<std::uint32_t>(
          std::min<std::int64_t>(((from.x + width) >> x_.shift) - first + 1, x_.cells));
      const auto row = ((static_cast<std::uint32_t>(y) & y_.mask()) * z_.cells +
                        (static_cast<std::uint32_t>(z) & z_.mask())) *
                       x_.cells;
      const std::uint32_t start = static_cast<std::uint32_t>(first) & x_.mask();
      const std::uint32_t straight = std::min(cells, x_.cells - start);
      rows(first_in_cell_[row + start], first_in_cell_[row + start + straight]);
      if (straight < cells) rows(first_in_cell_[row], first_in_cell_[row + cells - straight]);
    }
  }
}

std::size_t PointGrid::find(const GridQuery& query, Hit* out) const {
  // The square of a negative radius would count as that of a positive one.
  if (query.within_m < 0 || query.marked_m < 0) return 0;
  std::size_t found = 0;
  const float within_m = std::min(std::max(query.within_m, query.marked_m), reach_max_m_);
  for_rows(query.from, within_m, [&](std::uint32_t first, std::uint32_t last) {
    found += scan_->find(columns_.view(), {first, last}, query, out + found);
  });
  return found;
}

void PointGrid::count(const GridPosition& center, float within_m, GridSteps& steps) const {
  const float width_steps = within_m * steps_per_m / static_cast<float>(steps.size());
  for_rows(center, within_m, [&](std::uint32_t first, std::uint32_t last) {
    scan_->count(columns_.view(), {first, last}, center, width_steps, steps);
  });
}

}  // namespace perigee::replication
