#include "heightfield_builder.hpp"

#include <cmath>
#include <cstring>

#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

std::string decimal(double number) {
  std::string out = std::to_string(number);
  while (out.ends_with('0')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

template <class T>
void add_all(StateHash& hash, const std::vector<T>& numbers) {
  constexpr std::size_t each = sizeof(std::uint64_t) / sizeof(T);
  for (std::size_t i = 0; i < numbers.size(); i += each) {
    std::uint64_t word = 0;
    std::memcpy(&word, &numbers[i], std::min(each, numbers.size() - i) * sizeof(T));
    hash.add(word);
  }
}

}  // namespace

Result<HeightfieldPtr> HeightfieldBuilder::build() {
  if (const auto error = check_size()) return *error;
  if (const auto error = check_numbers()) return *error;
  if (const auto error = check_cells()) return *error;
  const auto& source = field_.source_;
  field_.middle_column_ = (source.columns - 1) / 2.0;
  field_.middle_row_ = (source.rows - 1) / 2.0;
  bake_edges();
  build_levels();
  take_hash();
  return std::make_shared<const Heightfield>(std::move(field_));
}

std::optional<Error> HeightfieldBuilder::check_size() const {
  const auto& source = field_.source_;
  constexpr std::uint32_t most = Heightfield::side_samples_max;
  const std::string size = std::to_string(source.columns) + " x " + std::to_string(source.rows);
  if (source.columns < 2 || source.rows < 2 || source.columns > most || source.rows > most) {
    return Error{"the heightfield has " + size + " samples: it needs 2 to " + std::to_string(most) +
                 " along each side; divide a larger one"};
  }
  if (source.heights.size() != std::size_t{source.columns} * source.rows) {
    return Error{"the heightfield has " + size + " samples, but " +
                 std::to_string(source.heights.size()) + " heights"};
  }
  return std::nullopt;
}

std::optional<Error> HeightfieldBuilder::check_numbers() const {
  const auto& source = field_.source_;
  const double most = Mesh::coordinate_max_m;
  const double half_m = (std::max(source.columns, source.rows) - 1) * source.spacing_m / 2;
  if (!(source.spacing_m >= Heightfield::spacing_min_m) || !(half_m <= most)) {
    return Error{"the heightfield has samples every " + decimal(source.spacing_m) +
                 " m: they have to be at least 0.01 m apart, and within 32,768 m of the middle"};
  }
  const double top_m = source.low_m + 65'535 * source.height_step_m;
  if (!(source.height_step_m > 0) || !(std::abs(source.low_m) <= most) || !(top_m <= most)) {
    return Error{"the heightfield has heights from " + decimal(source.low_m) + " m in steps of " +
                 decimal(source.height_step_m) +
                 " m: the step has to be above 0, and all of the 65,536 heights within 32,768 m"};
  }
  if (source.diagonals > Diagonals::last) {
    return Error{"the heightfield has diagonals of an unknown kind, " +
                 std::to_string(static_cast<int>(source.diagonals))};
  }
  return std::nullopt;
}

std::optional<Error> HeightfieldBuilder::check_cells() const {
  const auto& source = field_.source_;
  const std::size_t count = source.materials.size();
  if (count > Mesh::materials_max) return Error{"the heightfield has more than 255 materials"};
  for (const SurfaceMaterial& each : source.materials) {
    if (each.friction >= 0 && each.friction <= Mesh::friction_max) continue;
    return Error{"a material of the heightfield has friction " + std::to_string(each.friction) +
                 ": it has to be 0 to 10"};
  }
  const std::uint32_t columns = source.columns - 1;
  const std::size_t cells = std::size_t{columns} * (source.rows - 1);
  if (source.cells.size() != cells && !(source.cells.empty() && count == 0)) {
    return Error{"the heightfield has materials or holes of " +
                 std::to_string(source.cells.size()) + " cells, but " + std::to_string(cells) +
                 " cells between its samples"};
  }
  bool solid = source.cells.empty();
  for (std::size_t i = 0; i < source.cells.size(); ++i) {
    if (source.cells[i] == Heightfield::hole) continue;
    solid = true;
    if (source.cells[i] < std::max<std::size_t>(count, 1)) continue;
    return Error{"the heightfield's cell in column " + std::to_string(i % columns) + ", row " +
                 std::to_string(i / columns) + " has material " + std::to_string(source.cells[i]) +
                 ", but there are only " + std::to_string(count) + " materials"};
  }
  if (!solid) return Error{"the heightfield has holes only"};
  return std::nullopt;
}

Vec3 HeightfieldBuilder::corner(std::uint32_t column, std::uint32_t row, std::uint8_t of) const {
  return field_.place(column + (of >= 2 ? 1 : 0), row + (of == 1 || of == 2 ? 1 : 0));
}

void HeightfieldBuilder::take_normals(std::uint32_t row) {
  std::vector<Vec3>& normals = normals_[row % 2];
  normals.clear();
  for (std::uint32_t column = 0; column + 1 < field_.columns(); ++column) {
    for (const auto& of : field_.split(column, row)) {
      const Vec3 a = corner(column, row, of[0]);
      const Vec3 b = corner(column, row, of[1]);
      const Vec3 c = corner(column, row, of[2]);
      normals.push_back(normalized(cross(b - a, c - a)));
    }
  }
}

EdgeSide HeightfieldBuilder::half(std::uint32_t column, std::uint32_t row, std::size_t second,
                                  std::uint8_t far) const {
  return {normals_[row % 2][2 * std::size_t{column} + second], corner(column, row, far)};
}

EdgeSide HeightfieldBuilder::side(std::uint32_t column, std::uint32_t row, Side at) const {
  const bool rises = field_.rises(column, row);
  switch (at) {
    case Side::West:
      return half(column, row, 0, rises ? 3 : 2);
    case Side::North:
      return half(column, row, rises ? 0U : 1U, rises ? 1 : 2);
    case Side::East:
      return half(column, row, 1, rises ? 1 : 0);
    case Side::South:
      return half(column, row, rises ? 1U : 0U, rises ? 3 : 0);
  }
  return {};
}

std::uint8_t HeightfieldBuilder::edge_between(bool inside, std::uint32_t column, std::uint32_t row,
                                              Side own) const {
  const bool west = own == Side::West;
  const std::uint32_t other_column = column - (inside && west ? 1 : 0);
  const std::uint32_t other_row = row - (inside && !west ? 1 : 0);
  if (!inside || field_.is_hole(column, row) || field_.is_hole(other_column, other_row)) {
    return Heightfield::border_bits;
  }
  const EdgeSide here = side(column, row, own);
  const EdgeSide there = side(other_column, other_row, west ? Side::East : Side::South);
  const std::uint8_t kind = bend_at(field_.place(column, row), here, there);
  return kind == 0 ? 0 : kind == Mesh::gentle_edge ? 1 : 3;
}

void HeightfieldBuilder::bake_edges() {
  const auto& source = field_.source_;
  field_.edges_.reserve(std::size_t{source.columns - 1} * (source.rows - 1));
  for (std::uint32_t row = 0; row + 1 < source.rows; ++row) {
    take_normals(row);
    for (std::uint32_t column = 0; column + 1 < source.columns; ++column) {
      const std::uint8_t west = edge_between(column > 0, column, row, Side::West);
      const std::uint8_t north = edge_between(row > 0, column, row, Side::North);
      const bool rises = field_.rises(column, row);
      const std::uint8_t kind =
          bend_at(corner(column, row, rises ? 1 : 0), half(column, row, 0, rises ? 0 : 1),
                  half(column, row, 1, rises ? 2 : 3));
      const int diagonal = kind == 0 ? 0 : kind == Mesh::gentle_edge ? 1 : 3;
      field_.edges_.push_back(static_cast<std::uint8_t>(diagonal << Heightfield::diagonal_at |
                                                        west << Heightfield::west_at |
                                                        north << Heightfield::north_at));
      field_.triangles_ += field_.is_hole(column, row) ? 0U : 2U;
    }
  }
}

void HeightfieldBuilder::build_levels() {
  const auto& source = field_.source_;
  constexpr std::uint32_t side = Heightfield::block_cells;
  const auto parts = [](std::uint32_t of, std::uint32_t each) { return (of + each - 1) / each; };
  const auto widen = [](Heightfield::LowHigh& known, const Heightfield::LowHigh& by) {
    known = {std::min(known.low, by.low), std::max(known.high, by.high)};
  };
  constexpr Heightfield::LowHigh none{65'535, 0};
  Heightfield::Level blocks{parts(source.columns - 1, side), parts(source.rows - 1, side), {}};
  blocks.squares.assign(std::size_t{blocks.columns} * blocks.rows, none);
  for (std::uint32_t row = 0; row + 1 < source.rows; ++row) {
    for (std::uint32_t column = 0; column + 1 < source.columns; ++column) {
      widen(blocks.squares[std::size_t{row / side} * blocks.columns + column / side],
            field_.low_high(column, row));
    }
  }
  field_.levels_.push_back(std::move(blocks));
  while (field_.levels_.back().squares.size() > 1) {
    const Heightfield::Level& finer = field_.levels_.back();
    Heightfield::Level level{parts(finer.columns, 2), parts(finer.rows, 2), {}};
    level.squares.assign(std::size_t{level.columns} * level.rows, none);
    for (std::uint32_t row = 0; row < finer.rows; ++row) {
      for (std::uint32_t column = 0; column < finer.columns; ++column) {
        widen(level.squares[std::size_t{row / 2} * level.columns + column / 2],
              finer.squares[std::size_t{row} * finer.columns + column]);
      }
    }
    field_.levels_.push_back(std::move(level));
  }
  const Heightfield::LowHigh all = field_.levels_.back().squares.front();
  field_.bounds_ = {
      {field_.x_of(0), field_.height_of(all.low), field_.z_of(0)},
      {field_.x_of(source.columns - 1), field_.height_of(all.high), field_.z_of(source.rows - 1)}};
}

void HeightfieldBuilder::take_hash() {
  const auto& source = field_.source_;
  StateHash hash;
  hash.add(source.columns).add(source.rows).add(source.spacing_m).add(source.height_step_m);
  hash.add(source.low_m + 0.0).add(source.diagonals);  // no -0
  add_all(hash, source.heights);
  for (const SurfaceMaterial& each : source.materials) hash.add(each.surface).add(each.friction);
  hash.add(std::uint64_t{source.cells.size()});
  add_all(hash, source.cells);
  add_all(hash, field_.edges_);
  field_.hash_ = hash.value();
}

}  // namespace perigee::world
