#include "nodes.hpp"

#include <cmath>
#include <optional>

#include "perigee/gltf/gltf.hpp"

namespace perigee::gltf {
namespace {

constexpr double flat_determinant = 1e-12;
constexpr double unscaled = 1e-6;  // the scale of a rotation that an exporter has rounded

std::string name_of(const tinygltf::Model& model, int index) {
  const std::string& name = model.nodes[static_cast<std::size_t>(index)].name;
  return name.empty() ? "node " + std::to_string(index) : name;
}

bool all_finite(const std::vector<double>& numbers) {
  for (const double each : numbers) {
    if (!std::isfinite(each)) return false;
  }
  return true;
}

/// The columns of a rotation.
Affine turned_by(const Quat& q) {
  return {{rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})}, {}};
}

/// None: its numbers make no usable map.
std::optional<Affine> local_of(const tinygltf::Node& node) {
  const auto given = [](const std::vector<double>& numbers, std::size_t size) {
    return numbers.empty() || (numbers.size() == size && all_finite(numbers));
  };
  if (!given(node.matrix, 16) || !given(node.translation, 3) || !given(node.rotation, 4) ||
      !given(node.scale, 3)) {
    return std::nullopt;
  }
  Affine out;
  if (!node.matrix.empty()) {
    const auto& m = node.matrix;  // by columns
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) return std::nullopt;
    out.column = {Vec3{m[0], m[1], m[2]}, Vec3{m[4], m[5], m[6]}, Vec3{m[8], m[9], m[10]}};
    out.origin = {m[12], m[13], m[14]};
  } else {
    if (!node.rotation.empty()) {
      const Quat q{node.rotation[0], node.rotation[1], node.rotation[2], node.rotation[3]};
      if (std::abs(dot(q, q) - 1) > 1e-3) return std::nullopt;
      out = turned_by(normalized(q));
    }
    for (std::size_t i = 0; i < 3 && !node.scale.empty(); ++i) {
      out.column[i] *= node.scale[i];
    }
    if (!node.translation.empty()) {
      out.origin = {node.translation[0], node.translation[1], node.translation[2]};
    }
  }
  const double size = std::abs(out.determinant());
  if (!(size > flat_determinant) || size > 1e12) return std::nullopt;
  return out;
}

/// Whether squares of its numbers are numbers, too.
bool is_usable(const Affine& place) {
  constexpr double stretch_max = 1e12;
  for (const Vec3& column : place.column) {
    const double stretch = length(column);
    if (!(stretch > 1 / stretch_max && stretch < stretch_max)) return false;
  }
  return std::isfinite(length(place.origin));
}

Quat rotation_of(const Affine& turn) {
  const auto& [x, y, z] = turn.column;
  const double trace = x.x + y.y + z.z;
  Quat q;
  if (trace > 0) {
    q = {y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace};
  } else if (x.x >= y.y && x.x >= z.z) {
    q = {1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
  } else if (y.y >= z.z) {
    q = {x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
  } else {
    q = {z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x};
  }
  return normalized(q);
}

class NodeWalk {
 public:
  explicit NodeWalk(const tinygltf::Model& model) : model_(model), seen_(model.nodes.size()) {}

  Result<std::vector<PlacedNode>> run() {
    if (model_.nodes.size() > nodes_max) {
      return Error{"the file has more than " + std::to_string(nodes_max) + " nodes: divide it"};
    }
    const int index = model_.defaultScene < 0 ? 0 : model_.defaultScene;
    if (static_cast<std::size_t>(index) >= model_.scenes.size()) {
      return Error{"the file has no scene " + std::to_string(index)};
    }
    for (const int root : model_.scenes[static_cast<std::size_t>(index)].nodes) {
      if (const auto error = visit(root, "the scene", {}, 1)) return *error;
    }
    return std::move(out_);
  }

 private:
  // Calls itself for each child, at most depth_max deep.
  std::optional<Error> visit(int index, const std::string& parent, const Affine& above,
                             std::size_t depth) {
    if (index < 0 || static_cast<std::size_t>(index) >= model_.nodes.size()) {
      return Error{parent + " has child " + std::to_string(index) + ", but the file has only " +
                   std::to_string(model_.nodes.size()) + " nodes"};
    }
    const auto at = static_cast<std::size_t>(index);
    const tinygltf::Node& node = model_.nodes[at];
    const std::string name = "node '" + level::shown_name(name_of(model_, index)) + "'";
    if (seen_[at]) return Error{name + " has two parents, or is its own ancestor"};
    seen_[at] = true;
    if (depth > depth_max) {
      return Error{name + " is more than " + std::to_string(depth_max) + " nodes deep"};
    }
    if (name_of(model_, index).starts_with('_')) return std::nullopt;
    const auto local = local_of(node);
    const Affine place = local ? above * *local : Affine{};
    if (!local || !is_usable(place)) {
      return Error{name +
                   " has an unusable matrix, translation, rotation or scale: apply the object's "
                   "transforms and export again"};
    }
    if (const auto error = add(node, index, name, place)) return error;
    for (const int child : node.children) {
      if (const auto error = visit(child, name, place, depth + 1)) return error;
    }
    return std::nullopt;
  }

  std::optional<Error> add(const tinygltf::Node& node, int index, const std::string& name,
                           const Affine& place) {
    const std::string own = name_of(model_, index);
    if (node.mesh >= 0 && static_cast<std::size_t>(node.mesh) >= model_.meshes.size()) {
      return Error{name + " has mesh " + std::to_string(node.mesh) + ", but the file has only " +
                   std::to_string(model_.meshes.size()) + " meshes"};
    }
    if (node.mesh >= 0 && node.skin >= 0) {
      return Error{name + " has a skin: a mesh that bends is no part of a level"};
    }
    const bool lights = node.extensions.count("KHR_lights_punctual") != 0;
    const bool empty = node.mesh < 0 && node.camera < 0 && !lights && node.children.empty();
    if (node.mesh >= 0 || empty) out_.push_back({own, node.mesh, place});
    return std::nullopt;
  }

  const tinygltf::Model& model_;
  std::vector<bool> seen_;
  std::vector<PlacedNode> out_;
};

}  // namespace

Placement placement_of(const Affine& whole) {
  const auto& [x, y, z] = whole.column;
  const Vec3 a = normalized(x);
  const Vec3 b = normalized(y - a * dot(a, y));
  const Vec3 c = cross(a, b);
  Placement out;
  out.pose = {whole.origin, rotation_of({{a, b, c}, {}})};
  const auto into = [&](const Vec3& v) { return Vec3{dot(a, v), dot(b, v), dot(c, v)}; };
  const Affine stretch{{into(x), into(y), into(z)}, {}};
  double off = 0;
  for (std::size_t i = 0; i < 3; ++i) off += distance(stretch.column[i], Affine{}.column[i]);
  if (off > unscaled) out.stretch = stretch;
  return out;
}

Result<std::vector<PlacedNode>> placed_nodes(const tinygltf::Model& model) {
  return NodeWalk(model).run();
}

}  // namespace perigee::gltf
