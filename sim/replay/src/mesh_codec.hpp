/// Encoding of a mesh's source.
#pragma once

#include <cstdint>

#include "perigee/replay/recording.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::replay {

/// Of its corners, triangles and their materials.
inline std::size_t source_bytes(std::size_t corners, std::size_t triangles) {
  return 12 * corners + 13 * triangles;
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

}  // namespace perigee::replay
