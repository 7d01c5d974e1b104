/// A glTF 2.0 file as the source of a level. docs/levels.md states what becomes what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "perigee/base/result.hpp"
#include "perigee/level/level.hpp"

namespace perigee::gltf {

struct Options {
  bool join = false;          ///< one mesh for everything, one more for what is two-sided
  bool one_sided = false;     ///< ignores `doubleSided` of materials
  bool drop_slivers = false;  ///< leaves out triangles less than 0.1 mm high
};

struct Imported {
  level::LevelSource level;
  std::uint64_t slivers = 0;  ///< left out
};

inline constexpr std::size_t file_bytes_max = 1U << 29;
inline constexpr std::size_t json_bytes_max = 1U << 26;  ///< a parsed value takes 30 times its text
inline constexpr std::size_t depth_max = 64;             ///< of JSON, and of nodes
inline constexpr std::size_t nodes_max = 100'000;
/// Of all meshes of the file together, and of all meshes of the level together.
inline constexpr std::size_t triangles_max = 1U << 24;

/// GLB, or JSON with its data inside. Bytes of any author are allowed. An error names mesh, node or
/// accessor, and the reason.
Result<Imported> read_gltf(std::span<const std::byte> file, const Options& options);

}  // namespace perigee::gltf
