#include "perigee/gltf/gltf.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "accessors.hpp"
#include "container.hpp"
#include "nodes.hpp"

namespace perigee::gltf {
namespace {

using level::LevelSource;
constexpr const char* two_sided_name = " (two-sided)";
constexpr std::string_view hull_prefix = "hull_";
constexpr double hull_dent_m = 0.005;  // a smaller one is not felt

/// The triangles of a glTF mesh, by the sides that they have.
struct Surface {
  world::MeshSource sides[2];  ///< one-sided, two-sided
};

std::string named(const char* kind, const std::string& name, std::size_t index) {
  return name.empty() ? std::string(kind) + " " + std::to_string(index) : name;
}

/// For messages.
std::string in_quotes(const std::string& name) { return "'" + level::shown_name(name) + "'"; }

bool is_finite(const Vec3f& at) {
  return std::isfinite(at.x) && std::isfinite(at.y) && std::isfinite(at.z);
}

/// Corners that belong to no triangle any more are left to Mesh::make.
std::uint64_t drop_slivers(world::MeshSource& source) {
  const auto height_of = [&](const std::array<std::uint32_t, 3>& triangle) {
    const Vec3 a = to_double(source.corners[triangle[0]]);
    const Vec3 b = to_double(source.corners[triangle[1]]);
    const Vec3 c = to_double(source.corners[triangle[2]]);
    const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
    return longest > 0 ? length(cross(b - a, c - a)) / longest : 0;
  };
  std::size_t kept = 0;
  for (std::size_t i = 0; i < source.triangles.size(); ++i) {
    if (height_of(source.triangles[i]) < world::Mesh::height_min_m) continue;
    source.triangles[kept] = source.triangles[i];
    if (!source.material_of.empty()) source.material_of[kept] = source.material_of[i];
    ++kept;
  }
  const std::uint64_t dropped = source.triangles.size() - kept;
  source.triangles.resize(kept);
  if (!source.material_of.empty()) source.material_of.resize(kept);
  return dropped;
}

/// The depth of the corner that is deepest inside of its hull.
double deepest_inside_m(const world::Hull& hull, std::span<const Vec3f> corners) {
  double deepest = 0;
  for (const Vec3f& corner : corners) {
    double highest = -1e300;
    for (const world::Hull::Plane& plane : hull.planes()) {
      highest = std::max(highest, plane.above_m(to_double(corner)));
    }
    deepest = std::max(deepest, -highest);
  }
  return deepest;
}

/// A map that mirrors turns the fronts of triangles round, so their corners change their order.
void append_placed(world::MeshSource& to, const world::MeshSource& from, const Affine& place) {
  const auto first = static_cast<std::uint32_t>(to.corners.size());
  for (const Vec3f& corner : from.corners) {
    to.corners.push_back(to_float(place.apply(to_double(corner))));
  }
  const bool mirrors = place.determinant() < 0;
  for (const auto& [a, b, c] : from.triangles) {
    if (mirrors) {
      to.triangles.push_back({first + a, first + c, first + b});
    } else {
      to.triangles.push_back({first + a, first + b, first + c});
    }
  }
  to.material_of.insert(to.material_of.end(), from.material_of.begin(), from.material_of.end());
  to.two_sided = from.two_sided;
}

class Importer {
 public:
  Importer(const tinygltf::Model& model, const Options& options)
      : model_(model), options_(options) {}

  Result<Imported> run() {
    if (const auto error = read_materials()) return *error;
    const auto nodes = placed_nodes(model_);
    if (!nodes) return nodes.error();
    if (const auto error = count_triangles_of_file(*nodes)) return *error;
    for (const PlacedNode& node : *nodes) {
      const bool solid = node.name.starts_with(hull_prefix);
      const auto error = node.mesh < 0 ? add_point(node) : solid ? add_hull(node) : add_mesh(node);
      if (error) return *error;
    }
    if (out_.level.meshes.empty() && out_.level.hulls.empty() && out_.level.points.empty()) {
      return Error{"the scene has neither a mesh nor an empty node"};
    }
    for (const auto& [at, hull] : hull_instances_) {
      out_.level.instances[at].shape = hull + static_cast<std::uint32_t>(out_.level.meshes.size());
    }
    for (auto& [name, source] : out_.level.meshes) {
      if (options_.drop_slivers) out_.slivers += drop_slivers(source);
    }
    return std::move(out_);
  }

 private:
  std::optional<Error> read_materials() {
    for (std::size_t i = 0; i < model_.materials.size(); ++i) {
      const tinygltf::Material& material = model_.materials[i];
      level::Material each{unique(named("material", material.name, i), used_materials_), {}};
      const std::string name = "material " + in_quotes(each.name);
      const tinygltf::Value& extras = material.extras;
      if (extras.IsObject() && extras.Has("friction")) {
        const tinygltf::Value& friction = extras.Get("friction");
        const double number = friction.IsNumber() ? friction.GetNumberAsDouble() : -1;
        if (!(number >= 0 && number <= double{world::Mesh::friction_max})) {
          return Error{name + ": its custom property 'friction' has to be a number from 0 to 10"};
        }
        each.made_of.friction = static_cast<float>(number);
      }
      if (extras.IsObject() && extras.Has("surface")) {
        const tinygltf::Value& surface = extras.Get("surface");
        const double number = surface.IsNumber() ? surface.GetNumberAsDouble() : -1;
        if (!(number >= 0 && number <= 65'535 && std::floor(number) == number)) {
          return Error{name +
                       ": its custom property 'surface' has to be a whole number from 0 to 65,535"};
        }
        each.made_of.surface = static_cast<std::uint16_t>(number);
      }
      out_.level.materials.push_back(std::move(each));
    }
    for (const tinygltf::Mesh& mesh : model_.meshes) {
      for (const tinygltf::Primitive& part : mesh.primitives) bare_ |= part.material < 0;
    }
    // Triangles without a material need one as soon as others have one.
    if (bare_ && !out_.level.materials.empty()) {
      out_.level.materials.push_back({unique("no material", used_materials_), {}});
    }
    if (out_.level.materials.size() <= world::Mesh::materials_max) return std::nullopt;
    return Error{"the file has more than " + std::to_string(world::Mesh::materials_max) +
                 " materials"};
  }

  std::optional<Error> add_point(const PlacedNode& node) {
    out_.level.points.push_back({node.name, placement_of(node.place).pose});
    if (out_.level.points.size() <= level::places_max) return std::nullopt;
    return Error{"the file has more than " + std::to_string(level::places_max) + " empty nodes"};
  }

  std::optional<Error> add_mesh(const PlacedNode& node) {
    const auto surface = surface_of(node.mesh);
    if (!surface) return surface.error();
    const auto& sides = (*surface)->sides;
    const bool divided = !sides[0].triangles.empty() && !sides[1].triangles.empty();
    for (int side = 0; side < 2; ++side) {
      const world::MeshSource& source = sides[side];
      if (source.triangles.empty()) continue;
      const std::string suffix = divided && side == 1 ? two_sided_name : "";
      if (options_.join) {
        world::MeshSource& all = joined(side).source;
        const std::size_t limit = world::Mesh::triangles_max / (side == 1 ? 2 : 1);
        if (all.triangles.size() + source.triangles.size() > limit) {
          return Error{"joined, the level has more than " + std::to_string(limit) +
                       (side == 1 ? " two-sided" : "") + " triangles: leave out --join"};
        }
        append_placed(all, source, node.place);
        continue;
      }
      const Placement placed = placement_of(node.place);
      const auto mesh = stretched(node.mesh, side, suffix, source, placed.stretch);
      if (!mesh) return mesh.error();
      out_.level.instances.push_back(
          {unique(node.name + suffix, used_instances_), *mesh, placed.pose});
      if (out_.level.instances.size() > level::places_max) {
        return Error{"the file has more than " + std::to_string(level::places_max) +
                     " nodes with meshes: use --join"};
      }
    }
    return std::nullopt;
  }

  std::optional<Error> add_hull(const PlacedNode& node) {
    const auto surface = surface_of(node.mesh);
    if (!surface) return surface.error();
    const Placement placed = placement_of(node.place);
    std::vector<Vec3f> corners;
    for (const world::MeshSource& side : (*surface)->sides) {
      for (const Vec3f& corner : side.corners) {
        corners.push_back(to_float(placed.stretch.apply(to_double(corner))));
      }
    }
    const auto hull = known_hull(node, std::move(corners));
    if (!hull) return hull.error();
    hull_instances_.emplace_back(out_.level.instances.size(), *hull);
    out_.level.instances.push_back({unique(node.name, used_instances_), 0, placed.pose});
    if (out_.level.instances.size() <= level::places_max) return std::nullopt;
    return Error{"the file has more than " + std::to_string(level::places_max) + " instances"};
  }

  /// Nodes that differ in their poses alone share a hull.
  Result<std::uint32_t> known_hull(const PlacedNode& node, std::vector<Vec3f> corners) {
    const std::string name = "node " + in_quotes(node.name) + ": ";
    if (!std::all_of(corners.begin(), corners.end(), is_finite)) {
      return Error{name + "its scale makes its corners too large"};
    }
    const auto place = [](const Vec3f& at) { return std::tuple(at.x, at.y, at.z); };
    std::sort(corners.begin(), corners.end(),
              [&](const Vec3f& a, const Vec3f& b) { return place(a) < place(b); });
    corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    auto& hulls = out_.level.hulls;
    for (std::uint32_t i = 0; i < hulls.size(); ++i) {
      if (hulls[i].corners == corners) return i;
    }
    if (hulls.size() == level::shapes_max) {
      return Error{name + "the level would have more than " + std::to_string(level::shapes_max) +
                   " different hulls"};
    }
    const auto made = world::Hull::make(corners);
    if (!made) return Error{name + made.error().message};
    const double inside_m = deepest_inside_m(**made, corners);
    if (inside_m > hull_dent_m) {
      return Error{name + "its mesh is not convex: a corner is " + std::to_string(inside_m) +
                   " m inside its hull; divide it into convex objects"};
    }
    const std::string& of = model_.meshes[static_cast<std::size_t>(node.mesh)].name;
    hulls.push_back({unique(named("hull", of, hulls.size()), used_hulls_), std::move(corners)});
    return static_cast<std::uint32_t>(hulls.size() - 1);
  }

  /// The mesh of everything. The level has one instance of it.
  LevelSource::SourceMesh& joined(int side) {
    if (!joined_[side]) {
      const std::string name = std::string("level") + (side == 0 ? "" : two_sided_name);
      joined_[side] = static_cast<std::uint32_t>(out_.level.meshes.size());
      out_.level.meshes.push_back({name, {}});
      out_.level.instances.push_back({name, *joined_[side], {}});
    }
    return out_.level.meshes[*joined_[side]];
  }

  /// The level's mesh for this mesh of the file with this stretch. Nodes that differ in their poses
  /// alone share one.
  Result<std::uint32_t> stretched(int mesh, int side, const std::string& suffix,
                                  const world::MeshSource& source, const Affine& stretch) {
    for (const Known& known : known_[{mesh, side}]) {
      double off = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        off += distance(known.stretch.column[i], stretch.column[i]);
      }
      if (off < 1e-9) return known.index;
    }
    if (out_.level.meshes.size() == level::shapes_max) {
      return Error{
          "the level would have more than " + std::to_string(level::shapes_max) +
          " different meshes: use --join, or the same scale for objects that share a mesh"};
    }
    if (const auto error = count_triangles(placed_, source.triangles.size(), "level")) {
      return *error;
    }
    const auto at = static_cast<std::size_t>(mesh);
    LevelSource::SourceMesh out{
        unique(named("mesh", model_.meshes[at].name, at) + suffix, used_meshes_), {}};
    append_placed(out.source, source, stretch);
    const auto index = static_cast<std::uint32_t>(out_.level.meshes.size());
    out_.level.meshes.push_back(std::move(out));
    known_[{mesh, side}].push_back({stretch, index});
    return index;
  }

  Result<const Surface*> surface_of(int index) {
    const auto found = surfaces_.find(index);
    if (found != surfaces_.end()) return &found->second;
    const auto at = static_cast<std::size_t>(index);
    const tinygltf::Mesh& mesh = model_.meshes[at];
    const std::string name = "mesh " + in_quotes(named("mesh", mesh.name, at));
    Surface out;
    out.sides[1].two_sided = true;
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i) {
      if (const auto error = read_part(mesh.primitives[i], out)) {
        return Error{name + ", part " + std::to_string(i) + ": " + error->message};
      }
    }
    if (out.sides[0].triangles.empty() && out.sides[1].triangles.empty()) {
      return Error{name + " has no triangle"};
    }
    return &surfaces_.emplace(index, std::move(out)).first->second;
  }

  std::optional<Error> read_part(const tinygltf::Primitive& part, Surface& to) {
    if (part.mode != -1 && part.mode != TINYGLTF_MODE_TRIANGLES) {
      return Error{
          "it is made of points, lines, strips or fans: export triangles, without loose "
          "edges and points"};
    }
    if (part.extensions.count("KHR_draco_mesh_compression") != 0) {
      return Error{"it is compressed: export without compression"};
    }
    if (!part.targets.empty()) return Error{"it has shape keys: apply them and export again"};
    if (part.material >= 0 && static_cast<std::size_t>(part.material) >= model_.materials.size()) {
      return Error{"it has material " + std::to_string(part.material) + ", but the file has only " +
                   std::to_string(model_.materials.size())};
    }
    const auto place = part.attributes.find("POSITION");
    const auto corners = Positions::of(model_, place == part.attributes.end() ? -1 : place->second);
    if (!corners) return corners.error();
    constexpr std::size_t count_max = 3 * std::size_t{world::Mesh::triangles_max};
    std::vector<std::uint32_t> order;
    if (part.indices == -1) {
      order.resize(std::min(corners->count(), count_max + 3));  // more is refused below
      std::iota(order.begin(), order.end(), 0U);
    } else {
      auto read = indices(model_, part.indices, count_max);
      if (!read) return read.error();
      order = std::move(read).value();
    }
    const bool both = part.material >= 0 && !options_.one_sided &&
                      model_.materials[static_cast<std::size_t>(part.material)].doubleSided;
    return append(part.material, *corners, order, to.sides[both ? 1 : 0]);
  }

  /// Takes the corners that triangles use: parts of all sizes may share one long list.
  std::optional<Error> append(int material, const Positions& corners,
                              const std::vector<std::uint32_t>& order, world::MeshSource& to) {
    if (order.size() % 3 != 0) {
      return Error{"it has " + std::to_string(order.size()) +
                   " indices, which are no whole number of triangles"};
    }
    if (to.triangles.size() + order.size() / 3 > world::Mesh::triangles_max) {
      return Error{"it has more than " + std::to_string(world::Mesh::triangles_max) +
                   " triangles: divide the mesh"};
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (order[i] < corners.count()) continue;
      return Error{"triangle " + std::to_string(i / 3) + " has corner " + std::to_string(order[i]) +
                   ", but there are only " + std::to_string(corners.count()) + " corners"};
    }
    std::vector<std::uint32_t> used = order;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const auto first = static_cast<std::uint32_t>(to.corners.size());
    for (const std::uint32_t i : used) {
      const auto at = corners.at(i);
      if (!at) {
        return Error{"element " + std::to_string(i) + " of accessor " +
                     std::to_string(corners.accessor()) +
                     " is not a place: a coordinate is infinite or not a number"};
      }
      to.corners.push_back(*at);
    }
    const auto corner = [&](std::uint32_t i) {
      const auto found = std::lower_bound(used.begin(), used.end(), i) - used.begin();
      return first + static_cast<std::uint32_t>(found);
    };
    for (std::size_t i = 0; i < order.size(); i += 3) {
      to.triangles.push_back({corner(order[i]), corner(order[i + 1]), corner(order[i + 2])});
    }
    if (out_.level.materials.empty()) return std::nullopt;
    const std::size_t own =
        material >= 0 ? static_cast<std::size_t>(material) : out_.level.materials.size() - 1;
    to.material_of.resize(to.triangles.size(), static_cast<std::uint8_t>(own));
    return std::nullopt;
  }

  /// The reader counts first, because a small file may have many meshes that share a long list of
  /// indices.
  std::optional<Error> count_triangles_of_file(const std::vector<PlacedNode>& nodes) const {
    std::set<int> meshes;
    std::size_t sum = 0;
    for (const PlacedNode& node : nodes) {
      if (node.mesh < 0 || !meshes.insert(node.mesh).second) continue;
      for (const tinygltf::Primitive& part :
           model_.meshes[static_cast<std::size_t>(node.mesh)].primitives) {
        const std::size_t triangles = corner_count(model_, part) / 3;
        if (triangles > world::Mesh::triangles_max) continue;  // read_part says what is wrong
        if (const auto error = count_triangles(sum, triangles, "file")) return error;
      }
    }
    return std::nullopt;
  }

  static std::optional<Error> count_triangles(std::size_t& sum, std::size_t more,
                                              const std::string& what) {
    sum += more;
    if (sum <= triangles_max) return std::nullopt;
    return Error{"all meshes of the " + what + " together have more than " +
                 std::to_string(triangles_max) + " triangles: divide it"};
  }

  struct Names {
    std::set<std::string> given;
    std::map<std::string, int> again;  ///< how often each name was asked for again
  };
  /// The name, with a number behind it if it was given before.
  static std::string unique(const std::string& name, Names& used) {
    std::string out = name;
    int& again = used.again[name];
    while (!used.given.insert(out).second) out = name + "~" + std::to_string(++again + 1);
    return out;
  }

  struct Known {
    Affine stretch;
    std::uint32_t index = 0;
  };
  const tinygltf::Model& model_;
  const Options options_;
  Imported out_;
  bool bare_ = false;       ///< some triangles have no material
  std::size_t placed_ = 0;  ///< triangles of the level
  std::map<int, Surface> surfaces_;
  std::map<std::pair<int, int>, std::vector<Known>> known_;
  std::optional<std::uint32_t> joined_[2];
  std::vector<std::pair<std::size_t, std::uint32_t>> hull_instances_;  ///< with their hulls
  Names used_materials_, used_meshes_, used_hulls_, used_instances_;
};

}  // namespace

Result<Imported> read_gltf(std::span<const std::byte> file, const Options& options) {
  const auto model = load(file);
  if (!model) return model.error();
  return Importer(*model, options).run();
}

}  // namespace perigee::gltf
