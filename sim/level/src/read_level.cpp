// From bytes of a file to a level.
#include <algorithm>
#include <optional>

#include "level_codec.hpp"

namespace perigee::level {
namespace {

std::string text_of(std::uint64_t number) { return std::to_string(number); }
std::string quoted(const std::string& name) { return "'" + shown_name(name) + "'"; }

Error unreadable(const std::string& part, std::size_t index) {
  return Error{part + " " + text_of(index) +
               " of the level cannot be read: the contents end, or it has an unusable name or "
               "number; write the file again with perigee-level"};
}

template <class Parts>
std::optional<Error> same_names(const Parts& parts, const char* what) {
  std::vector<std::string_view> names;
  names.reserve(parts.size());
  for (const auto& part : parts) names.push_back(part.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return std::nullopt;
  return Error{std::string("two ") + what + " of the level are named " +
               quoted(std::string(*twice)) + ": rename one"};
}

class LevelReader {
 public:
  explicit LevelReader(std::span<const std::byte> bytes) : reader_(bytes) {}

  Result<Level> read() {
    FileHead head;
    if (const auto error = read_head(head)) return *error;
    Level out;
    out.hash = head.hash;
    if (const auto error =
            read_parts(out.materials, "material", world::Mesh::materials_max, material_bytes_min)) {
      return *error;
    }
    if (const auto error = read_meshes(out)) return *error;
    if (const auto error = read_hulls(out)) return *error;
    if (head.version >= 2) {
      if (const auto error = read_heightfields(out)) return *error;
    }
    if (const auto error = read_parts(out.instances, "instance", places_max, instance_bytes_min)) {
      return *error;
    }
    if (const auto error = read_parts(out.points, "point", places_max, point_bytes_min)) {
      return *error;
    }
    if (!reader_.at_end()) {
      return Error{"the level has " + text_of(reader_.remaining()) + " bytes behind its end"};
    }
    if (const auto error = check(out)) return *error;
    return out;
  }

 private:
  std::optional<Error> read_head(FileHead& head) {
    if (reader_.remaining() > bytes_max) {
      return Error{"the level has more than 1 GiB: divide it"};
    }
    std::array<char, level_magic.size()> magic{};
    if (!reader_.copy(std::as_writable_bytes(std::span(magic))) || magic != level_magic) {
      return Error{"this is not a level of perigee: make one from glTF with perigee-level"};
    }
    if (!reader_.number(head.version) || !reader_.number(head.bytes) ||
        !reader_.number(head.hash)) {
      return Error{"the level is cut off in its first bytes"};
    }
    if (head.version < format_version_min || head.version > format_version) {
      return Error{"the level has format " + text_of(head.version) +
                   ", but this build reads formats " + text_of(format_version_min) + " to " +
                   text_of(format_version) + ": make it again with this build's perigee-level"};
    }
    if (reader_.remaining() != head.bytes) {
      return Error{"the level has " + text_of(reader_.remaining()) + " of its " +
                   text_of(head.bytes) + " bytes of contents: copy the file again"};
    }
    std::span<const std::byte> contents;
    ByteReader(reader_).view(contents, reader_.remaining());
    if (hash_of(contents) != head.hash) {
      return Error{"the level is damaged: its hash does not match; copy the file again"};
    }
    return std::nullopt;
  }

  /// None: no true count.
  std::optional<std::uint32_t> count(std::size_t limit, std::size_t bytes_each) {
    std::uint32_t count = 0;
    if (!reader_.number(count) || count > limit || count > reader_.remaining() / bytes_each) {
      return std::nullopt;
    }
    return count;
  }
  static Error wrong_count(const std::string& part, std::size_t limit) {
    return Error{"the level's number of parts '" + part + "' is more than its contents, or than " +
                 text_of(limit)};
  }

  template <class Part>
  std::optional<Error> read_parts(std::vector<Part>& parts, const char* what, std::size_t limit,
                                  std::size_t bytes_each) {
    const auto many = count(limit, bytes_each);
    if (!many) return wrong_count(what, limit);
    parts.resize(*many);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!walk_part(reader_, parts[i])) return unreadable(what, i);
    }
    return std::nullopt;
  }

  std::optional<Error> read_meshes(Level& out) {
    const auto many = count(shapes_max, mesh_bytes_min);
    if (!many) return wrong_count("mesh", shapes_max);
    for (std::size_t i = 0; i < *many; ++i) {
      Level::NamedMesh each;
      world::MeshSource source;
      for (const Material& material : out.materials) source.materials.push_back(material.made_of);
      if (!walk_name(reader_, each.name) || !reader_.flag(source.two_sided) ||
          !read_triangles(source)) {
        return unreadable("mesh", i);
      }
      auto made = world::Mesh::make(source);
      if (!made) return Error{"mesh " + quoted(each.name) + ": " + made.error().message};
      each.mesh = std::move(made).value();
      out.meshes.push_back(std::move(each));
    }
    return std::nullopt;
  }

  std::optional<Error> read_hulls(Level& out) {
    std::vector<LevelSource::SourceHull> sources;
    const std::size_t limit = shapes_max - out.meshes.size();
    if (const auto error = read_parts(sources, "hull", limit, hull_bytes_min)) return error;
    for (const auto& [name, corners] : sources) {
      auto made = world::Hull::make(corners);
      if (!made) return Error{"hull " + quoted(name) + ": " + made.error().message};
      out.hulls.push_back({name, std::move(made).value()});
    }
    return std::nullopt;
  }

  std::optional<Error> read_heightfields(Level& out) {
    const std::size_t limit = shapes_max - out.meshes.size() - out.hulls.size();
    const auto many = count(limit, field_bytes_min);
    if (!many) return wrong_count("heightfield", limit);
    for (std::size_t i = 0; i < *many; ++i) {
      Level::NamedHeightfield each;
      world::HeightfieldSource source;
      for (const Material& material : out.materials) source.materials.push_back(material.made_of);
      if (!walk_name(reader_, each.name) || !read_heights(source)) {
        return unreadable("heightfield", i);
      }
      auto made = world::Heightfield::make(std::move(source));
      if (!made) return Error{"heightfield " + quoted(each.name) + ": " + made.error().message};
      each.heightfield = std::move(made).value();
      out.heightfields.push_back(std::move(each));
    }
    return std::nullopt;
  }

  bool read_heights(world::HeightfieldSource& source) {
    bool has_cells = false;
    constexpr std::uint32_t most = world::Heightfield::side_samples_max;
    if (!walk_field_head(reader_, source, has_cells) || source.columns < 2 || source.rows < 2 ||
        source.columns > most || source.rows > most) {
      return false;
    }
    const std::size_t samples = std::size_t{source.columns} * source.rows;
    const std::size_t cells = has_cells ? samples - source.columns - source.rows + 1 : 0;
    if (2 * samples + cells > reader_.remaining()) return false;
    source.heights.resize(samples);
    source.cells.resize(cells);
    reader_.copy(std::as_writable_bytes(std::span(source.heights)));
    reader_.copy(std::as_writable_bytes(std::span(source.cells)));
    return true;
  }

  bool read_triangles(world::MeshSource& source) {
    std::uint32_t corners = 0;
    std::uint32_t triangles = 0;
    if (!reader_.number(corners) || !reader_.number(triangles)) return false;
    const std::size_t materials = source.materials.empty() ? 0 : triangles;
    const std::size_t bytes = 12 * (std::size_t{corners} + triangles) + materials;
    if (bytes > reader_.remaining()) return false;
    source.corners.resize(corners);
    source.triangles.resize(triangles);
    source.material_of.resize(materials);
    for (Vec3f& corner : source.corners) {
      if (!reader_.vec3(corner)) return false;
    }
    reader_.copy(std::as_writable_bytes(std::span(source.triangles)));
    reader_.copy(std::as_writable_bytes(std::span(source.material_of)));
    return true;
  }

  static std::optional<Error> check(const Level& level) {
    for (const Instance& each : level.instances) {
      if (each.shape < level.shapes()) continue;
      return Error{"instance " + quoted(each.name) + " has shape " + text_of(each.shape) +
                   ", but the level has only " + text_of(level.shapes()) +
                   " meshes, hulls and heightfields"};
    }
    if (const auto error = same_names(level.materials, "materials")) return error;
    if (const auto error = same_names(level.meshes, "meshes")) return error;
    if (const auto error = same_names(level.hulls, "hulls")) return error;
    if (const auto error = same_names(level.heightfields, "heightfields")) return error;
    if (const auto error = same_names(level.instances, "instances")) return error;
    return same_names(level.points, "points");
  }

  ByteReader reader_;
};

}  // namespace

Result<Level> read_level(std::span<const std::byte> bytes) { return LevelReader(bytes).read(); }

}  // namespace perigee::level
