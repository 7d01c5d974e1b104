/// From cells to boxes, for actor steps, rays and Bullet.
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "perigee/world/voxels.hpp"

namespace perigee::world {

/// The range from the first cell that overlaps `low` .. `high` to the one after the last, within
/// `from` .. `end`; at most side_max cells, around the middle.
inline std::pair<std::int32_t, std::int32_t> cells_between(double low, double high, double cell_m,
                                                           std::int32_t from, std::int32_t end) {
  constexpr std::int32_t side = VoxelCutout::side_max;
  const auto cell_at = [&](double x) {
    return static_cast<std::int32_t>(std::floor(std::clamp(x / cell_m, -1e6, 1e6)));
  };
  std::int32_t first = cell_at(low);
  std::int32_t last = cell_at(high);
  const std::int32_t beyond = last - first + 1 - side;
  if (beyond > 0) {
    first += beyond / 2;
    last = first + side - 1;
  }
  first = std::clamp(first, from, end);
  return {first, std::clamp(last + 1, first, end)};
}

/// Greedily merged boxes of the solid cells that overlap `within` (patch's frame), until visit(Box)
/// returns false. Runs along x are widened along z while they fit, then raised along y. So floors
/// become a few wide slabs.
template <class Visit>
void for_each_box(const VoxelCutout& cutout, const Bounds& within, Visit visit) {
  constexpr std::size_t side = VoxelCutout::side_max;
  const auto [x0, x1] = cells_between(within.low.x, within.high.x, cutout.cell_m, cutout.low.x,
                                      cutout.low.x + cutout.size.x);
  const auto [y0, y1] = cells_between(within.low.y, within.high.y, cutout.cell_m, cutout.low.y,
                                      cutout.low.y + cutout.size.y);
  const auto [z0, z1] = cells_between(within.low.z, within.high.z, cutout.cell_m, cutout.low.z,
                                      cutout.low.z + cutout.size.z);
  if (x0 == x1) return;
  const std::uint32_t wanted = ((1U << (x1 - x0)) - 1U) << (x0 - cutout.low.x);
  std::array<std::uint32_t, side * side> left;  // cells in the range that have no box yet
  const auto at = [&, y_low = y0, z_low = z0](std::int32_t y, std::int32_t z) -> std::uint32_t& {
    return left[static_cast<std::size_t>(y - y_low) * side + static_cast<std::size_t>(z - z_low)];
  };
  for (std::int32_t y = y0; y < y1; ++y) {
    for (std::int32_t z = z0; z < z1; ++z) at(y, z) = cutout.row({x0, y, z}) & wanted;
  }
  for (std::int32_t y = y0; y < y1; ++y) {
    for (std::int32_t z = z0; z < z1; ++z) {
      while (at(y, z) != 0) {
        const std::uint32_t row = at(y, z);
        const std::uint32_t run = row & ~(row + (row & (~row + 1U)));  // the lowest run of set bits
        std::int32_t z_end = z + 1;
        while (z_end < z1 && (at(y, z_end) & run) == run) ++z_end;
        const auto repeats = [&](std::int32_t above) {
          std::int32_t along = z;
          while (along < z_end && (at(above, along) & run) == run) ++along;
          return along == z_end;
        };
        std::int32_t y_end = y + 1;
        while (y_end < y1 && repeats(y_end)) ++y_end;
        for (std::int32_t yy = y; yy < y_end; ++yy) {
          for (std::int32_t zz = z; zz < z_end; ++zz) at(yy, zz) &= ~run;
        }
        const double x = cutout.low.x + std::countr_zero(run);
        const Vec3 low = Vec3{x, 1.0 * y, 1.0 * z} * cutout.cell_m;
        const Vec3 high = Vec3{x + std::popcount(run), 1.0 * y_end, 1.0 * z_end} * cutout.cell_m;
        if (!visit(Box{.center = (low + high) * 0.5, .half = (high - low) * 0.5})) return;
      }
    }
  }
}

/// A chunk's boxes, with all known edits.
void add_boxes(const VoxelPatch& patch, std::uint16_t chunk, std::vector<Box>& out);

}  // namespace perigee::world
