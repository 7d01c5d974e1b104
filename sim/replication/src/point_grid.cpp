#include "perigee/replication/point_grid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "perigee/netcode/assert.hpp"

namespace perigee::replication {
namespace {

// As many candidates are compared at once as fit into registers and L1.
constexpr std::uint32_t chunk = 64;
constexpr float m_per_step = static_cast<float>(1 / GridPosition::steps_per_m);
/// Rows narrow towards the sphere's poles only where that saves more than the root costs.
constexpr std::int64_t narrow_from_cells = 4;

std::uint32_t extent_cells(std::int32_t low, std::int32_t high, int shift) {
  return std::bit_ceil(static_cast<std::uint32_t>((high >> shift) - (low >> shift)) + 1);
}

float squared(float v) { return v * v; }

}  // namespace

GridPosition to_grid(const Vec3& world) {
  // A quarter of the range: differences of two positions never overflow.
  constexpr double limit = 1 << 29;
  const auto steps = [&](double v) {
    return static_cast<std::int32_t>(std::clamp(v * GridPosition::steps_per_m, -limit, limit));
  };
  return {steps(world.x), steps(world.y), steps(world.z)};
}

PointGrid::PointGrid(int cell_shift, std::size_t points_max) : shift_(cell_shift) {
  PERIGEE_ASSERT(points_max < hit_slots_max, "a hit has 30 bits for the slot");
  cell_of_point_.reserve(points_max);
  first_in_cell_.reserve(2 * std::bit_ceil(points_max + 1) + 1);
  for (auto* column : {&at_x_, &at_y_, &at_z_}) column->reserve(points_max);
  for (auto* column : {&radius_m_, &reach_m_}) column->reserve(points_max);
  slot_.reserve(points_max);
  rebuild({});
}

std::uint32_t PointGrid::cell_of(const GridPosition& at) const {
  const auto index = [&](std::int32_t v, const Axis& axis) {
    return static_cast<std::uint32_t>(v >> shift_) & axis.mask();
  };
  return (index(at.y, y_) * z_.cells + index(at.z, z_)) * x_.cells + index(at.x, x_);
}

// As wide as the points lie, but never more than about two cells a point: beyond, the grid wraps
// around, and what is far away only adds candidates.
void PointGrid::choose_axes(std::span<const GridPoint> points) {
  GridPosition low, high;
  if (!points.empty()) low = high = points[0].position;
  for (const GridPoint& point : points) {
    const GridPosition& p = point.position;
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  x_.cells = extent_cells(low.x, high.x, shift_);
  y_.cells = extent_cells(low.y, high.y, shift_);
  z_.cells = extent_cells(low.z, high.z, shift_);
  const std::uint64_t cells_max = std::bit_ceil(points.size() + 1);
  while (std::uint64_t{x_.cells} * y_.cells * z_.cells > cells_max) {
    Axis* widest = x_.cells >= z_.cells ? &x_ : &z_;
    if (y_.cells > widest->cells) widest = &y_;
    widest->cells /= 2;
  }
}

void PointGrid::rebuild(std::span<const GridPoint> points) {
  choose_axes(points);
  const std::size_t cells = std::size_t{x_.cells} * y_.cells * z_.cells;
  first_in_cell_.assign(cells + 1, 0);
  cell_of_point_.resize(points.size());
  radius_max_m_ = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    cell_of_point_[i] = cell_of(points[i].position);
    ++first_in_cell_[cell_of_point_[i] + 1];
    radius_max_m_ = std::max(radius_max_m_, points[i].radius_m);
  }
  for (std::size_t c = 1; c <= cells; ++c) first_in_cell_[c] += first_in_cell_[c - 1];
  for (auto* column : {&at_x_, &at_y_, &at_z_}) column->resize(points.size());
  for (auto* column : {&radius_m_, &reach_m_}) column->resize(points.size());
  slot_.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {  // afterwards each entry is its cell's end
    const std::uint32_t to = first_in_cell_[cell_of_point_[i]]++;
    const GridPoint& point = points[i];
    at_x_[to] = point.position.x;
    at_y_[to] = point.position.y;
    at_z_[to] = point.position.z;
    radius_m_[to] = point.radius_m;
    reach_m_[to] = point.reach_m;
    slot_[to] = point.slot;
  }
  std::shift_right(first_in_cell_.begin(), first_in_cell_.end(), 1);
  first_in_cell_[0] = 0;
}

// Calls rows(first, last) for the members of every row of cells that the sphere touches.
template <class Rows>
void PointGrid::for_rows(const GridPosition& from, float within_m, Rows rows) const {
  if (slot_.empty()) return;
  const double reach_steps = (double{within_m} + double{radius_max_m_}) * GridPosition::steps_per_m;
  const auto reach = static_cast<std::int64_t>(reach_steps) + 1;
  const std::int64_t cell = std::int64_t{1} << shift_;
  const auto low = [&](std::int32_t v) { return (std::int64_t{v} - reach) >> shift_; };
  const auto count = [&](std::int32_t v, std::int64_t first, const Axis& axis) {
    const std::int64_t last = (std::int64_t{v} + reach) >> shift_;
    return std::min<std::int64_t>(last - first + 1, axis.cells);
  };
  // From a coordinate to the nearest point of a row of cells; with a wrapped axis, to the
  // unwrapped one: what really is in reach is in the unwrapped one.
  const auto away = [&](std::int32_t v, std::int64_t row) {
    const std::int64_t begin = row * cell;
    return std::max({begin - v, v - (begin + cell - 1), std::int64_t{0}});
  };
  const std::int64_t y0 = low(from.y), z0 = low(from.z), x0 = low(from.x);
  const std::int64_t y_count = count(from.y, y0, y_), z_count = count(from.z, z0, z_);
  const bool narrow = reach >= narrow_from_cells * cell;
  const bool y_whole = y_count == y_.cells, z_whole = z_count == z_.cells;
  for (std::int64_t y = y0; y < y0 + y_count; ++y) {
    const std::int64_t dy = y_whole ? 0 : away(from.y, y);
    for (std::int64_t z = z0; z < z0 + z_count; ++z) {
      std::int64_t first = x0;
      std::int64_t width = reach;
      if (narrow) {
        const std::int64_t dz = z_whole ? 0 : away(from.z, z);
        const double left = static_cast<double>(reach * reach - dy * dy - dz * dz);
        if (left < 0) continue;
        width = static_cast<std::int64_t>(std::sqrt(left)) + 1;
        first = (std::int64_t{from.x} - width) >> shift_;
      }
      const std::int64_t last = (std::int64_t{from.x} + width) >> shift_;
      const auto cells =
          static_cast<std::uint32_t>(std::min<std::int64_t>(last - first + 1, x_.cells));
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

// Two loops: the first has no branches and no dependencies, so that the compiler vectorises it.
std::size_t PointGrid::scan(const GridQuery& query, std::uint32_t first, std::uint32_t last,
                            Hit* out) const {
  std::array<std::int32_t, chunk> wanted;
  std::array<std::uint32_t, chunk> ring;
  std::size_t found = 0;
  for (; first < last; first += chunk) {
    const std::uint32_t n = std::min(chunk, last - first);
    const std::int32_t* x = &at_x_[first];
    const std::int32_t* y = &at_y_[first];
    const std::int32_t* z = &at_z_[first];
    const float* radius = &radius_m_[first];
    const float* reach = &reach_m_[first];
    for (std::uint32_t i = 0; i < n; ++i) {
      const float dx = static_cast<float>(x[i] - query.from.x) * m_per_step;
      const float dy = static_cast<float>(y[i] - query.from.y) * m_per_step;
      const float dz = static_cast<float>(z[i] - query.from.z) * m_per_step;
      const float d2 = dx * dx + dy * dy + dz * dz;
      const float outer = (reach[i] < query.within_m ? reach[i] : query.within_m) + radius[i];
      const float inner = query.beyond_m + radius[i];
      const bool beyond = (query.beyond_m < 0) | (d2 > inner * inner);
      wanted[i] =
          static_cast<std::int32_t>(d2 <= outer * outer) & static_cast<std::int32_t>(beyond);
      ring[i] = static_cast<std::uint32_t>(d2 > query.ring2_m2[0]) +
                static_cast<std::uint32_t>(d2 > query.ring2_m2[1]) +
                static_cast<std::uint32_t>(d2 > query.ring2_m2[2]);
    }
    const std::uint32_t* slot = &slot_[first];
    for (std::uint32_t i = 0; i < n; ++i) {
      out[found] = slot[i] | ring[i] << 30;
      found += static_cast<std::size_t>(wanted[i]);
    }
  }
  return found;
}

std::size_t PointGrid::find(const GridQuery& query, Hit* out) const {
  std::size_t found = 0;
  for_rows(query.from, query.within_m, [&](std::uint32_t first, std::uint32_t last) {
    found += scan(query, first, last, out + found);
  });
  return found;
}

void PointGrid::count(const GridPosition& from, float within_m,
                      std::span<std::uint32_t> bins) const {
  const float bins_per_m = static_cast<float>(bins.size()) / within_m;
  for_rows(from, within_m, [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      const float d2 = squared(static_cast<float>(at_x_[i] - from.x) * m_per_step) +
                       squared(static_cast<float>(at_y_[i] - from.y) * m_per_step) +
                       squared(static_cast<float>(at_z_[i] - from.z) * m_per_step);
      const float away_m = std::max(std::sqrt(d2) - radius_m_[i], 0.0F);
      if (away_m < within_m) ++bins[static_cast<std::size_t>(away_m * bins_per_m)];
    }
  });
}

}  // namespace perigee::replication
