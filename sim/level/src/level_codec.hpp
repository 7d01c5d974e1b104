/// Encoding of a level's small parts: one list of fields for reader and writer.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include "perigee/base/bytes.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/level/level.hpp"

namespace perigee::level {

inline constexpr std::array level_magic{'p', 'e', 'r', 'i', 'g', 'e', 'e',  ' ',
                                        'l', 'e', 'v', 'e', 'l', ' ', '\n', '\x1a'};
/// The part of a file before its contents.
struct FileHead {
  std::uint32_t version = format_version;
  std::uint64_t bytes = 0;  ///< of the contents
  std::uint64_t hash = 0;   ///< of the contents
};
inline constexpr std::size_t head_bytes = level_magic.size() + 4 + 8 + 8;

inline std::uint64_t hash_of(std::span<const std::byte> contents) {
  StateHash hash;
  for (std::size_t at = 0; at < contents.size(); at += 8) {
    const auto word = contents.subspan(at, std::min<std::size_t>(8, contents.size() - at));
    std::uint64_t bits = 0;
    std::memcpy(&bits, word.data(), word.size());
    hash.add(bits);
  }
  return hash.add(std::uint64_t{contents.size()}).value();
}

template <class Cursor, class Name>
bool walk_name(Cursor& cursor, Name& name) {
  if (name.size() > name_bytes_max) return false;
  auto size = static_cast<std::uint8_t>(name.size());
  if (!cursor.number(size) || size == 0 || size > name_bytes_max) return false;
  if constexpr (Cursor::reading) {
    name.resize(size);
    if (!cursor.copy(std::as_writable_bytes(std::span(name)))) return false;
  } else {
    if (!cursor.copy(std::as_bytes(std::span(name)))) return false;
  }
  return is_name(name);
}

template <class Cursor, class PoseLike>
bool walk_pose(Cursor& cursor, PoseLike& pose) {
  auto& turn = pose.rotation;
  if (!cursor.vec3(pose.position) || !cursor.number(turn.x) || !cursor.number(turn.y) ||
      !cursor.number(turn.z) || !cursor.number(turn.w)) {
    return false;
  }
  const Vec3& at = pose.position;
  const double farthest = std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)});
  return farthest <= place_max_m && std::abs(dot(turn, turn) - 1) < 1e-6;
}

template <class Cursor, class M>
bool walk_part(Cursor& cursor, M& material)
  requires requires { material.made_of; }
{
  return walk_name(cursor, material.name) && cursor.number(material.made_of.surface) &&
         cursor.number(material.made_of.friction);
}
template <class Cursor, class I>
bool walk_part(Cursor& cursor, I& instance)
  requires requires { instance.shape; }
{
  return walk_name(cursor, instance.name) && cursor.number(instance.shape) &&
         walk_pose(cursor, instance.pose);
}
template <class Cursor, class H>
bool walk_part(Cursor& cursor, H& hull)
  requires requires { hull.corners; }
{
  auto count = static_cast<std::uint8_t>(hull.corners.size());
  if (hull.corners.size() > world::Hull::corners_max || !walk_name(cursor, hull.name) ||
      !cursor.number(count) || count > world::Hull::corners_max) {
    return false;
  }
  if constexpr (Cursor::reading) hull.corners.resize(count);
  return std::all_of(hull.corners.begin(), hull.corners.end(),
                     [&](auto& corner) { return cursor.vec3(corner); });
}
/// Everything but heights and cells.
template <class Cursor, class Source>
bool walk_field_head(Cursor& cursor, Source& source, bool& has_cells) {
  return cursor.number(source.columns) && cursor.number(source.rows) &&
         cursor.number(source.spacing_m) && cursor.number(source.height_step_m) &&
         cursor.number(source.low_m) &&
         cursor.enumerator(source.diagonals, world::Diagonals::last) && cursor.flag(has_cells);
}
template <class Cursor, class P>
bool walk_part(Cursor& cursor, P& point) {
  return walk_name(cursor, point.name) && walk_pose(cursor, point.pose);
}

/// Smallest encodings, to refuse counts that cannot be true before memory is taken for them.
inline constexpr std::size_t material_bytes_min = 1 + 1 + 2 + 4;
inline constexpr std::size_t point_bytes_min = 1 + 1 + 7 * 8;
inline constexpr std::size_t instance_bytes_min = point_bytes_min + 4;
inline constexpr std::size_t mesh_bytes_min = 1 + 1 + 1 + 4 + 4;
inline constexpr std::size_t hull_bytes_min = 1 + 1 + 1;
inline constexpr std::size_t field_bytes_min = 1 + 1 + 4 + 4 + 8 + 8 + 8 + 1 + 1;

}  // namespace perigee::level
