/// Encoding of ground made of cells: a patch's initial state, and the cells around one actor at one
/// tick.
#pragma once

#include <algorithm>
#include <cstdint>

#include "perigee/world/voxels.hpp"

namespace perigee::replay {

inline constexpr double cell_m_max = 1000;

template <class Cursor, class C>
bool walk_cell(Cursor& cursor, C& cell) {
  return cursor.number(cell.x) && cursor.number(cell.y) && cursor.number(cell.z);
}

/// Run-length encoding: count and value.
template <class Cursor, class Bytes>
bool walk_runs(Cursor& cursor, Bytes& bytes, std::size_t size) {
  if constexpr (Cursor::reading) bytes.assign(size, 0);
  for (std::size_t at = 0; at < size;) {
    std::uint8_t value = bytes[at];
    std::uint32_t count = 0;
    if constexpr (!Cursor::reading) {
      while (at + count < size && bytes[at + count] == value) ++count;
    }
    if (!cursor.number(count) || !cursor.number(value)) return false;
    if (count == 0 || count > size - at) return false;
    if constexpr (Cursor::reading) std::fill_n(&bytes[at], count, value);
    at += count;
  }
  return true;
}

template <class Cursor, class Plan>
bool walk_plan(Cursor& cursor, Plan& plan) {
  if (!walk_cell(cursor, plan.size) || !cursor.number(plan.cell_m)) return false;
  const auto fits = [](std::int32_t cells) {
    return cells > 0 && cells <= world::VoxelPlan::side_max && cells % chunk_cells == 0;
  };
  if (!fits(plan.size.x) || !fits(plan.size.y) || !fits(plan.size.z)) return false;
  if (!(plan.cell_m > 0) || plan.cell_m > cell_m_max) return false;
  return walk_runs(cursor, plan.initial, plan.cells() / 8);
}

/// A cutout of a patch with that plan.
template <class Cursor, class Cutout>
bool walk_cutout(Cursor& cursor, Cutout& cutout, const world::VoxelPlan& plan) {
  if (!walk_cell(cursor, cutout.low) || !walk_cell(cursor, cutout.size)) return false;
  const world::Cell &low = cutout.low, &size = cutout.size;
  const auto fits = [](std::int32_t first, std::int32_t cells, std::int32_t all) {
    return cells >= 0 && cells <= world::VoxelCutout::side_max && first >= 0 &&
           first <= all - cells;
  };
  if (!fits(low.x, size.x, plan.size.x) || !fits(low.y, size.y, plan.size.y) ||
      !fits(low.z, size.z, plan.size.z)) {
    return false;
  }
  if constexpr (Cursor::reading) cutout.cell_m = plan.cell_m;
  if (size.x == 0) return true;
  for (std::int32_t y = low.y; y < low.y + size.y; ++y) {
    for (std::int32_t z = low.z; z < low.z + size.z; ++z) {
      if (!cursor.number(cutout.row({low.x, y, z}))) return false;
    }
  }
  return true;
}

}  // namespace perigee::replay
