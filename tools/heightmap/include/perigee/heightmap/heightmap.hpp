/// Heightmaps of editors as heightfields of a level. docs/levels.md states what becomes what.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/level/level.hpp"

namespace perigee::heightmap {

inline constexpr std::size_t file_bytes_max = 1U << 29;

/// An image, the first row first.
template <class Number>
struct Image {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::vector<Number> values;
};
using Heights = Image<std::uint16_t>;
using Indices = Image<std::uint8_t>;

// Bytes of any author are allowed. An error gives the reason.

/// A grayscale PNG with 16 bits a pixel.
Result<Heights> read_png(std::span<const std::byte> file);
/// Little-endian numbers of 16 bits without a head. `columns` of 0: the image is a square.
Result<Heights> read_raw(std::span<const std::byte> file, std::uint32_t columns);
/// A PNG with 8 bits a pixel: gray values, or indices of its palette.
Result<Indices> read_indices(std::span<const std::byte> file);

struct Options {
  std::string name;       ///< of the heightfield, and of its instance
  double spacing_m = 0;   ///< between samples
  double height_m = 0;    ///< between the values 0 and 65,535
  double low_m = 0;       ///< height of the value 0
  double middle_x_m = 0;  ///< place of the field's middle in the level
  double middle_z_m = 0;
  world::Diagonals diagonals = world::Diagonals::Falling;
  std::optional<std::uint16_t> hole;  ///< cells at a sample with this value are holes
  /// Of the heightfield, appended to those of the level. Without any: one of its own, if the
  /// level's meshes have materials.
  std::vector<level::Material> materials;
};
/// Adds a heightfield and an instance of it to the level. `indices`: of each cell's material, or
/// 255 for a hole; an image of one pixel for each cell, or for each sample, of which the last row
/// and column do not count. Without it, all cells have the first material.
std::optional<Error> add_heightfield(level::LevelSource& to, Heights heights,
                                     const std::optional<Indices>& indices, const Options& options);

}  // namespace perigee::heightmap
