// From the parts of a level to the bytes of its file.
#include <algorithm>
#include <optional>

#include "level_codec.hpp"
#include "perigee/base/assert.hpp"

namespace perigee::level {
namespace {

constexpr std::size_t small_part_bytes = 1 + name_bytes_max + 7 * 8 + 4;

std::size_t bytes_at_most(const LevelSource& source) {
  const std::size_t parts = source.materials.size() + source.meshes.size() + source.hulls.size() +
                            source.heightfields.size() + source.instances.size() +
                            source.points.size();
  std::size_t out = head_bytes + 24 + parts * small_part_bytes;
  for (const auto& each : source.hulls) out += 12 * each.corners.size();
  for (const auto& each : source.heightfields) {
    out += 2 * each.source.heights.size() + each.source.cells.size();
  }
  for (const auto& each : source.meshes) {
    out += 12 * each.source.corners.size() + 13 * each.source.triangles.size();
  }
  return out;
}

template <class Parts>
std::optional<Error> write_parts(ByteWriter& writer, const Parts& parts, const char* what) {
  writer.number(static_cast<std::uint32_t>(parts.size()));
  for (const auto& part : parts) {
    if (walk_part(writer, part)) continue;
    return Error{std::string(what) + " '" + shown_name(part.name) +
                 "' cannot be written: its name needs 1 to 64 bytes of UTF-8 without control "
                 "characters, its place has to be within 1,000 km, and a hull has at most 64 "
                 "corners"};
  }
  return std::nullopt;
}

std::optional<Error> write_mesh(ByteWriter& writer, const LevelSource::SourceMesh& mesh,
                                std::size_t materials) {
  const auto& [name, source] = mesh;
  if (!walk_name(writer, name)) {
    return Error{"mesh '" + shown_name(name) +
                 "': its name needs 1 to 64 bytes of UTF-8 without control characters"};
  }
  if (source.material_of.size() != (materials == 0 ? 0 : source.triangles.size())) {
    return Error{"mesh '" + shown_name(name) + "': " + std::to_string(source.material_of.size()) +
                 " of its " + std::to_string(source.triangles.size()) +
                 " triangles have a material, but either all or none have one"};
  }
  writer.flag(source.two_sided);
  writer.number(static_cast<std::uint32_t>(source.corners.size()));
  writer.number(static_cast<std::uint32_t>(source.triangles.size()));
  for (const Vec3f& corner : source.corners) writer.vec3(corner);
  writer.copy(std::as_bytes(std::span(source.triangles)));
  writer.copy(std::as_bytes(std::span(source.material_of)));
  return std::nullopt;
}

std::optional<Error> write_heightfield(ByteWriter& writer,
                                       const LevelSource::SourceHeightfield& field,
                                       std::size_t materials) {
  const auto& [name, source] = field;
  const auto wrong = [&](const std::string& what) {
    return Error{"heightfield '" + shown_name(name) + "': " + what};
  };
  if (!walk_name(writer, name)) {
    return wrong("its name needs 1 to 64 bytes of UTF-8 without control characters");
  }
  const std::size_t samples = std::size_t{source.columns} * source.rows;
  const std::size_t cells = samples - source.columns - source.rows + 1;
  if (source.columns < 2 || source.rows < 2 || source.heights.size() != samples) {
    return wrong("it has " + std::to_string(source.columns) + " x " + std::to_string(source.rows) +
                 " samples, at least 2 x 2, but " + std::to_string(source.heights.size()) +
                 " heights");
  }
  if (source.cells.size() != cells && (materials > 0 || !source.cells.empty())) {
    return wrong(std::to_string(source.cells.size()) + " of its " + std::to_string(cells) +
                 " cells have a material or a hole, but either all or none have one");
  }
  bool has_cells = !source.cells.empty();
  if (!walk_field_head(writer, source, has_cells))
    return wrong("its diagonals are of an unknown kind");
  writer.copy(std::as_bytes(std::span(source.heights)));
  writer.copy(std::as_bytes(std::span(source.cells)));
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::byte>> write_level(const LevelSource& source) {
  std::vector<std::byte> out(bytes_at_most(source));
  ByteWriter writer(out);
  writer.copy(std::as_bytes(std::span(level_magic)));
  writer.number(format_version);
  writer.number(std::uint64_t{0});
  writer.number(std::uint64_t{0});
  if (const auto error = write_parts(writer, source.materials, "material")) return *error;
  writer.number(static_cast<std::uint32_t>(source.meshes.size()));
  for (const auto& each : source.meshes) {
    if (const auto error = write_mesh(writer, each, source.materials.size())) return *error;
  }
  if (const auto error = write_parts(writer, source.hulls, "hull")) return *error;
  writer.number(static_cast<std::uint32_t>(source.heightfields.size()));
  for (const auto& each : source.heightfields) {
    if (const auto error = write_heightfield(writer, each, source.materials.size())) return *error;
  }
  if (const auto error = write_parts(writer, source.instances, "instance")) return *error;
  if (const auto error = write_parts(writer, source.points, "point")) return *error;
  PERIGEE_ASSERT(writer.size() >= head_bytes, "a level's bytes were counted before");
  const auto contents = writer.written().subspan(head_bytes);
  writer.patch(level_magic.size() + 4, std::uint64_t{contents.size()});
  writer.patch(level_magic.size() + 12, hash_of(contents));
  out.resize(writer.size());
  auto read = read_level(out);
  if (!read) return read.error();
  return out;
}

}  // namespace perigee::level
