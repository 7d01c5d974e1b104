/// Small levels for tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/level/level.hpp"

namespace perigee::level {

inline void add_square(world::MeshSource& to, const Vec3f& low, float side) {
  const auto first = static_cast<std::uint32_t>(to.corners.size());
  to.corners.push_back(low);
  to.corners.push_back({low.x, low.y, low.z + side});
  to.corners.push_back({low.x + side, low.y, low.z + side});
  to.corners.push_back({low.x + side, low.y, low.z});
  to.triangles.push_back({first, first + 1, first + 2});
  to.triangles.push_back({first, first + 2, first + 3});
}

/// A floor of 40 x 40 m of two materials, a fence that stands twice, a ramp, a hill of heights, and
/// two spawn points.
inline LevelSource courtyard() {
  LevelSource out;
  out.materials = {{"grass", {1, 0.8F}}, {"ice", {2, 0.05F}}};
  LevelSource::SourceMesh floor{"floor", {}};
  add_square(floor.source, {-20, 0, -20}, 20);
  add_square(floor.source, {-20, 0, 0}, 20);
  add_square(floor.source, {0, 0, -20}, 20);
  add_square(floor.source, {0, 0, 0}, 20);
  floor.source.material_of = {0, 0, 0, 0, 0, 1, 1, 1};
  LevelSource::SourceMesh fence{"fence", {}};
  fence.source.corners = {{0, 0, 0}, {6, 0, 0}, {6, 1.5F, 0}, {0, 1.5F, 0}};
  fence.source.triangles = {{0, 1, 2}, {0, 2, 3}};
  fence.source.two_sided = true;
  fence.source.material_of = {0, 0};
  out.meshes = {floor, fence};
  out.hulls = {{"ramp", {{0, 0, 0}, {3, 0, 0}, {3, 1, 0}, {0, 0, 8}, {3, 0, 8}, {3, 1, 8}}}};
  LevelSource::SourceHeightfield hill{"hill",
                                      {.columns = 4,
                                       .rows = 3,
                                       .spacing_m = 2,
                                       .height_step_m = 0.25,
                                       .low_m = -1,
                                       .diagonals = world::Diagonals::Alternating}};
  hill.source.heights = {4, 5, 4, 4, 5, 9, 65'535, 4, 4, 5, 0, 4};
  hill.source.cells = {0, 1, world::Heightfield::hole, 0, 1, 1};
  out.heightfields = {hill};
  const Quat quarter{0, 0.70710678118654757, 0, 0.70710678118654757};
  out.instances = {{"floor", 0, {}},
                   {"fence", 1, {{3, 0, 5}, {}}},
                   {"fence.001", 1, {{-8, 0, 5}, quarter}},
                   {"ramp", 2, {{-6, 0, -12}, {}}},
                   {"hill", 3, {{40, 0, 0}, {}}}};
  out.points = {{"spawn", {{0, 1, -3}, {}}}, {"spawn.001", {{2, 1, -3}, quarter}}};
  return out;
}

inline std::vector<std::byte> bytes_of(const LevelSource& source) {
  auto bytes = write_level(source);
  PERIGEE_ASSERT(bytes.ok(), "a usable level");
  return std::move(bytes).value();
}

inline constexpr std::size_t level_head_bytes = 36;
/// The file with the right head for its contents.
inline std::vector<std::byte> sealed_level(std::vector<std::byte> file) {
  static const std::vector<std::byte> empty = bytes_of({});
  std::memcpy(file.data(), empty.data(), 20);
  const auto contents = std::span(file).subspan(level_head_bytes);
  const std::uint64_t size = contents.size();
  StateHash hash;
  for (std::size_t at = 0; at < contents.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, contents.data() + at, std::min<std::size_t>(8, contents.size() - at));
    hash.add(word);
  }
  const std::uint64_t sum = hash.add(size).value();
  std::memcpy(file.data() + 20, &size, sizeof size);
  std::memcpy(file.data() + 28, &sum, sizeof sum);
  return file;
}

/// The source of an equal level.
inline LevelSource source_of(const Level& level) {
  LevelSource out{level.materials, {}, {}, {}, level.instances, level.points};
  for (const auto& [name, mesh] : level.meshes) {
    LevelSource::SourceMesh each{name, mesh->source()};
    each.source.materials.clear();
    out.meshes.push_back(std::move(each));
  }
  for (const auto& [name, hull] : level.hulls) {
    out.hulls.push_back({name, {hull->corners().begin(), hull->corners().end()}});
  }
  for (const auto& [name, field] : level.heightfields) {
    LevelSource::SourceHeightfield each{name, field->source()};
    each.source.materials.clear();
    out.heightfields.push_back(std::move(each));
  }
  return out;
}

}  // namespace perigee::level
