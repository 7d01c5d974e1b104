/// A level as a file: meshes with materials, hulls, heightfields, the places where they stand, and
/// named points.
/// The bytes are in docs/levels.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/vec.hpp"
#include "perigee/world/heightfield.hpp"
#include "perigee/world/hull.hpp"
#include "perigee/world/mesh.hpp"

namespace perigee::level {

inline constexpr std::uint32_t format_version = 2;
/// The oldest format that is read: without heightfields.
inline constexpr std::uint32_t format_version_min = 1;
inline constexpr std::size_t bytes_max = 1U << 30;
inline constexpr std::size_t name_bytes_max = 64;
/// Each is a row of a game's table of types, and players need a row of their own.
inline constexpr std::size_t shapes_max = 254;
inline constexpr std::size_t places_max = 65'536;  ///< of instances, and of points
inline constexpr double place_max_m = 1e6;         ///< no world is larger

/// 1 to `name_bytes_max` bytes of well-formed UTF-8 without control characters (U+0000 to U+001F,
/// U+007F to U+009F).
bool is_name(std::string_view text);
/// Any text as a name in a message: escaped like perigee::shown, and cut at `name_bytes_max` bytes.
std::string shown_name(std::string_view text);

struct Material {
  std::string name;
  world::SurfaceMaterial made_of;
};
/// A mesh, a hull or a heightfield at a place of the level.
struct Instance {
  std::string name;
  std::uint32_t shape = 0;  ///< index in the list of all meshes, then hulls, then heightfields
  Pose pose;
};
/// A place with a name and without a shape, e.g. where players begin. Its front is +z.
struct Point {
  std::string name;
  Pose pose;
};

/// The contents of a file. Names are unique in their list.
struct LevelSource {
  struct SourceMesh {
    std::string name;
    /// Its materials are the level's: `materials` is empty, and `material_of` has an index for each
    /// triangle if the level has materials.
    world::MeshSource source;
  };
  std::vector<Material> materials;
  struct SourceHull {
    std::string name;
    std::vector<Vec3f> corners;  ///< see Hull::make
  };
  struct SourceHeightfield {
    std::string name;
    /// Its materials are the level's: `materials` is empty, and `cells` has an index for each cell
    /// if the level has materials.
    world::HeightfieldSource source;
  };
  std::vector<SourceMesh> meshes;
  std::vector<SourceHull> hulls;
  std::vector<SourceHeightfield> heightfields;
  std::vector<Instance> instances;
  std::vector<Point> points;
};

struct Level {
  struct NamedMesh {
    std::string name;
    world::MeshPtr mesh;
  };
  std::vector<Material> materials;
  struct NamedHull {
    std::string name;
    world::HullPtr hull;
  };
  struct NamedHeightfield {
    std::string name;
    world::HeightfieldPtr heightfield;
  };
  std::vector<NamedMesh> meshes;
  std::vector<NamedHull> hulls;
  std::vector<NamedHeightfield> heightfields;
  /// Of meshes, hulls and heightfields together.
  std::size_t shapes() const { return meshes.size() + hulls.size() + heightfields.size(); }
  /// The name of an instance's shape.
  const std::string& shape_name(std::uint32_t shape) const;
  std::vector<Instance> instances;
  std::vector<Point> points;
  /// Of the file's contents. A game adds it to its schema hash if its rules depend on points or
  /// instances. The shapes of its types are in there already.
  std::uint64_t hash = 0;

  /// Null: no point has this name.
  const Point* point(std::string_view name) const;
  /// All points with names that begin like this, in the order of the file: "spawn" finds "spawn",
  /// "spawn.001" and "spawn_red".
  std::vector<Point> points_like(std::string_view beginning) const;
};

/// An error names the part of the file, and what is wrong with it.
Result<Level> read_level(std::span<const std::byte> bytes);
/// The error is the one that reading the file would give.
Result<std::vector<std::byte>> write_level(const LevelSource& source);

}  // namespace perigee::level
