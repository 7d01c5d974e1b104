#include "perigee/heightmap/heightmap.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace perigee::heightmap {
namespace {

using world::Heightfield;

constexpr std::uint32_t side_max = Heightfield::side_samples_max;
constexpr double values = 65'535;

std::string size_of(std::uint32_t columns, std::uint32_t rows) {
  return std::to_string(columns) + " x " + std::to_string(rows);
}

std::optional<Error> check(const Options& options) {
  if (!(options.spacing_m >= Heightfield::spacing_min_m)) {
    return Error{"the samples of a heightmap have to be at least 0.01 m apart: --spacing-m"};
  }
  if (!(options.height_m > 0) || !std::isfinite(options.height_m)) {
    return Error{
        "the height between the lowest and the highest value of a heightmap has to be "
        "above 0: --height-m"};
  }
  return std::nullopt;
}

/// The level's list has the field's materials behind its own ones afterwards. Returns the index of
/// the field's first one; none: nothing has a material.
std::optional<std::size_t> add_materials(level::LevelSource& to, const Options& options) {
  std::vector<level::Material> own = options.materials;
  if (own.empty()) {
    if (to.materials.empty()) return std::nullopt;
    own.push_back({options.name, {}});
  }
  if (to.materials.empty() && !to.meshes.empty()) {
    to.materials.push_back({"without material", {}});
    for (auto& mesh : to.meshes) {
      mesh.source.material_of.assign(mesh.source.triangles.size(), std::uint8_t{0});
    }
  }
  const std::size_t first = to.materials.size();
  to.materials.insert(to.materials.end(), own.begin(), own.end());
  return first;
}

/// Makes holes at samples of the value `hole`. They get the height of a sample before, so that the
/// field is no higher or lower for them.
void cut_holes(world::HeightfieldSource& field, std::uint16_t hole) {
  for (std::uint32_t row = 0; row + 1 < field.rows; ++row) {
    for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
      const std::uint16_t* first = &field.heights[std::size_t{row} * field.columns + column];
      const std::uint16_t* second = first + field.columns;
      if (first[0] != hole && first[1] != hole && second[0] != hole && second[1] != hole) continue;
      field.cells[std::size_t{row} * (field.columns - 1) + column] = Heightfield::hole;
    }
  }
  const auto any = std::find_if(field.heights.begin(), field.heights.end(),
                                [&](std::uint16_t height) { return height != hole; });
  std::uint16_t before = any == field.heights.end() ? std::uint16_t{0} : *any;
  for (std::uint16_t& height : field.heights) {
    if (height == hole) height = before;
    before = height;
  }
}

std::optional<Error> set_cells(world::HeightfieldSource& field,
                               const std::optional<Indices>& indices, std::size_t own,
                               std::size_t first) {
  const std::uint32_t columns = field.columns - 1;
  for (std::uint32_t row = 0; row + 1 < field.rows; ++row) {
    for (std::uint32_t column = 0; column < columns; ++column) {
      const std::uint8_t index =
          indices ? indices->values[std::size_t{row} * indices->columns + column] : 0;
      const bool hole = index == Heightfield::hole;
      if (!hole && index >= std::max<std::size_t>(own, 1)) {
        return Error{"the map of materials has index " + std::to_string(index) + " in column " +
                     std::to_string(column) + ", row " + std::to_string(row) +
                     ", but the heightmap has " + std::to_string(own) +
                     " materials: name more with --material"};
      }
      field.cells[std::size_t{row} * columns + column] =
          hole ? index : static_cast<std::uint8_t>(first + index);
    }
  }
  return std::nullopt;
}

}  // namespace

Result<Heights> read_raw(std::span<const std::byte> file, std::uint32_t columns) {
  const std::size_t count = file.size() / sizeof(std::uint16_t);
  if (file.size() > file_bytes_max) return Error{"the heightmap has more than 512 MiB"};
  std::size_t side = columns;
  if (columns == 0) {
    while (side * side < count) ++side;
  }
  if (file.size() % sizeof(std::uint16_t) != 0 || side == 0 || count == 0 || count % side != 0 ||
      (columns == 0 && side * side != count)) {
    return Error{"the heightmap has " + std::to_string(file.size()) + " bytes, which are no " +
                 (columns == 0 ? std::string("square of samples with 2 bytes each: state the "
                                             "samples of a row with --columns")
                               : "rows of " + std::to_string(columns) +
                                     " samples with 2 bytes each: correct --columns")};
  }
  if (side > side_max || count / side > side_max) {
    return Error{"the heightmap has " + std::to_string(side) + " x " +
                 std::to_string(count / side) +
                 " samples: divide it, so that each side has at most " + std::to_string(side_max)};
  }
  Heights out{static_cast<std::uint32_t>(side), static_cast<std::uint32_t>(count / side), {}};
  out.values.resize(count);
  std::memcpy(out.values.data(), file.data(), file.size());
  return out;
}

std::optional<Error> add_heightfield(level::LevelSource& to, Heights heights,
                                     const std::optional<Indices>& indices,
                                     const Options& options) {
  if (const auto error = check(options)) return error;
  if (heights.columns < 2 || heights.rows < 2) {
    return Error{"the heightmap has " + size_of(heights.columns, heights.rows) +
                 " samples: it needs at least 2 x 2"};
  }
  const std::uint32_t columns = heights.columns - 1;
  const std::uint32_t rows = heights.rows - 1;
  const auto fits = [&](std::uint32_t more) {
    return indices->columns == columns + more && indices->rows == rows + more;
  };
  if (indices && !fits(0) && !fits(1)) {
    return Error{"the map of materials has " + size_of(indices->columns, indices->rows) +
                 " pixels: it needs " + size_of(columns, rows) + ", one for each cell, or " +
                 size_of(columns + 1, rows + 1) + ", one for each sample"};
  }
  world::HeightfieldSource field{.columns = heights.columns,
                                 .rows = heights.rows,
                                 .spacing_m = options.spacing_m,
                                 .height_step_m = options.height_m / values,
                                 .low_m = options.low_m,
                                 .diagonals = options.diagonals,
                                 .heights = std::move(heights.values)};
  const std::optional<std::size_t> first = add_materials(to, options);
  if (to.materials.size() > world::Mesh::materials_max) {
    return Error{"the level has more than 255 materials with those of the heightmap"};
  }
  if (first || indices || options.hole) {
    field.cells.resize(std::size_t{columns} * rows);
    const std::size_t own = first ? to.materials.size() - *first : 0;
    if (const auto error = set_cells(field, indices, own, first.value_or(0))) return error;
    if (options.hole) cut_holes(field, *options.hole);
  }
  const auto shape =
      static_cast<std::uint32_t>(to.meshes.size() + to.hulls.size() + to.heightfields.size());
  to.heightfields.push_back({options.name, std::move(field)});
  to.instances.push_back({options.name, shape, {{options.middle_x_m, 0, options.middle_z_m}, {}}});
  return std::nullopt;
}

}  // namespace perigee::heightmap
