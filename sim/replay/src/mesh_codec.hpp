/// Encoding of the sources of meshes and heightfields.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "perigee/replay/recording.hpp"
#include "perigee/world/heightfield.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::replay {

/// Of its corners, triangles and their materials.
inline std::size_t source_bytes(std::size_t corners, std::size_t triangles) {
  return 12 * corners + 13 * triangles;
}

inline std::size_t source_bytes(const world::HeightfieldSource& source) {
  return 2 * source.heights.size() + source.cells.size();
}

/// Of its hash and corners.
inline std::size_t hull_bytes(std::size_t corners) { return 9 + 12 * corners; }

template <class Cursor, class Source>
bool walk_materials(Cursor& cursor, Source& source) {
  auto count = static_cast<std::uint8_t>(source.materials.size());
  if (!cursor.number(count)) return false;
  if constexpr (Cursor::reading) {
    const std::size_t of_each = count == 0 ? 0 : source.triangles.size();
    if (cursor.remaining() < of_each) return false;
    source.materials.resize(count);
    source.material_of.resize(of_each);
  }
  for (auto& material : source.materials) {
    if (!cursor.number(material.surface) || !cursor.number(material.friction)) return false;
  }
  for (auto& index : source.material_of) {
    if (!cursor.number(index)) return false;
  }
  return true;
}

template <class Cursor, class Source>
bool walk_source(Cursor& cursor, Source& source) {
  auto corners = static_cast<std::uint32_t>(source.corners.size());
  auto triangles = static_cast<std::uint32_t>(source.triangles.size());
  if (!cursor.number(corners) || !cursor.number(triangles) || !cursor.flag(source.two_sided)) {
    return false;
  }
  const std::size_t bytes = source_bytes(corners, triangles);
  if (bytes > Recording::mesh_bytes_max) return false;
  if constexpr (Cursor::reading) {
    if (cursor.remaining() < bytes) return false;
    source.corners.resize(corners);
    source.triangles.resize(triangles);
  }
  for (auto& corner : source.corners) {
    if (!cursor.number(corner.x) || !cursor.number(corner.y) || !cursor.number(corner.z))
      return false;
  }
  for (auto& triangle : source.triangles) {
    for (auto& corner : triangle) {
      if (!cursor.number(corner)) return false;
    }
  }
  return walk_materials(cursor, source);
}

template <class Cursor, class Source>
bool walk_heights(Cursor& cursor, Source& source) {
  auto cells = static_cast<std::uint32_t>(source.cells.size());
  auto materials = static_cast<std::uint8_t>(source.materials.size());
  if (!cursor.number(source.columns) || !cursor.number(source.rows) ||
      !cursor.number(source.spacing_m) || !cursor.number(source.height_step_m) ||
      !cursor.number(source.low_m) ||
      !cursor.enumerator(source.diagonals, world::Diagonals::last) || !cursor.number(cells) ||
      !cursor.number(materials)) {
    return false;
  }
  if constexpr (Cursor::reading) {
    constexpr std::uint32_t most = world::Heightfield::side_samples_max;
    if (source.columns > most || source.rows > most) return false;
    const std::size_t samples = std::size_t{source.columns} * source.rows;
    const std::size_t bytes = 2 * samples + cells;
    if (bytes > Recording::mesh_bytes_max || cursor.remaining() < bytes) return false;
    source.heights.resize(samples);
    source.cells.resize(cells);
    source.materials.resize(materials);
    cursor.copy(std::as_writable_bytes(std::span(source.heights)));
    cursor.copy(std::as_writable_bytes(std::span(source.cells)));
  } else if (!cursor.copy(std::as_bytes(std::span(source.heights))) ||
             !cursor.copy(std::as_bytes(std::span(source.cells)))) {
    return false;
  }
  return std::all_of(source.materials.begin(), source.materials.end(), [&](auto& material) {
    return cursor.number(material.surface) && cursor.number(material.friction);
  });
}

}  // namespace perigee::replay
