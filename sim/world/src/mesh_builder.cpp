#include "mesh_builder.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "bend.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

/// Fronts that are this opposite, beside each other, are one surface with a triangle turned round.
constexpr double flipped_cosine = -0.9;

Error wrong(std::uint32_t triangle, const std::string& what) {
  return Error{"triangle " + std::to_string(triangle) + " of the mesh " + what};
}

}  // namespace

Result<MeshPtr> MeshBuilder::build() {
  if (const auto error = check_numbers()) return *error;
  if (const auto error = check_materials()) return *error;
  weld();
  if (const auto error = check_heights()) return *error;
  if (const auto error = check_duplicates()) return *error;
  fronts_ = static_cast<std::uint32_t>(mesh_.triangles_.size());
  if (source_.two_sided) add_backs();
  if (const auto error = bake_edges()) return *error;
  take_order();
  take_hash();
  return std::make_shared<const Mesh>(std::move(mesh_));
}

std::optional<Error> MeshBuilder::check_numbers() const {
  const std::size_t limit = Mesh::triangles_max / (source_.two_sided ? 2 : 1);
  if (source_.triangles.empty()) return Error{"the mesh has no triangle"};
  if (source_.triangles.size() > limit || source_.corners.size() > 3 * limit) {
    return Error{"the mesh has " + std::to_string(source_.triangles.size()) + " triangles and " +
                 std::to_string(source_.corners.size()) +
                 " corners: divide it, so that each has at most " + std::to_string(limit) +
                 (source_.two_sided ? " triangles with two sides" : " triangles")};
  }
  for (std::uint32_t i = 0; i < source_.triangles.size(); ++i) {
    for (const std::uint32_t at : source_.triangles[i]) {
      if (at >= source_.corners.size()) {
        return wrong(i, "has corner " + std::to_string(at) + ", but there are only " +
                            std::to_string(source_.corners.size()) + " corners");
      }
      const Vec3 place = to_double(source_.corners[at]);
      const double farthest = std::max({std::abs(place.x), std::abs(place.y), std::abs(place.z)});
      const bool finite =
          std::isfinite(place.x) && std::isfinite(place.y) && std::isfinite(place.z);
      if (!finite || farthest > Mesh::coordinate_max_m) {
        return wrong(i, "has a corner that is not a place within 32,768 m of the mesh's origin");
      }
    }
  }
  return std::nullopt;
}

std::optional<Error> MeshBuilder::check_materials() const {
  const std::size_t count = source_.materials.size();
  if (count > Mesh::materials_max) return Error{"the mesh has more than 255 materials"};
  for (const SurfaceMaterial& each : source_.materials) {
    if (each.friction >= 0 && each.friction <= Mesh::friction_max) continue;
    return Error{"a material of the mesh has friction " + std::to_string(each.friction) +
                 ": it has to be 0 to 10"};
  }
  if (source_.material_of.size() != (count == 0 ? 0 : source_.triangles.size())) {
    return Error{"the mesh has " + std::to_string(source_.material_of.size()) +
                 " indices of materials, but each of its " +
                 std::to_string(source_.triangles.size()) +
                 " triangles needs one if there are materials, and none otherwise"};
  }
  for (std::uint32_t i = 0; i < source_.material_of.size(); ++i) {
    if (source_.material_of[i] < count) continue;
    return wrong(i, "has material " + std::to_string(source_.material_of[i]) +
                        ", but there are only " + std::to_string(count) + " materials");
  }
  return std::nullopt;
}

/// Corners in the same place become one, numbered by first use. Unused ones are left out.
void MeshBuilder::weld() {
  std::vector<std::uint32_t> used;
  for (const Corners& triangle : source_.triangles)
    used.insert(used.end(), triangle.begin(), triangle.end());
  const auto place = [&](std::uint32_t use) {
    const Vec3f& at = source_.corners[used[use]];
    return std::tuple(at.x, at.y, at.z);
  };
  std::vector<std::uint32_t> uses(used.size());
  for (std::uint32_t i = 0; i < uses.size(); ++i) uses[i] = i;
  std::sort(uses.begin(), uses.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(place(a), a) < std::pair(place(b), b);
  });
  std::vector<std::uint32_t> first(used.size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const bool same = i > 0 && place(uses[i]) == place(uses[i - 1]);
    first[uses[i]] = same ? first[uses[i - 1]] : uses[i];
  }
  std::vector<std::uint32_t> number(used.size());
  mesh_.triangles_.resize(source_.triangles.size());
  for (std::uint32_t use = 0; use < used.size(); ++use) {
    if (first[use] == use) {
      number[use] = static_cast<std::uint32_t>(mesh_.corners_.size());
      const Vec3f& at = source_.corners[used[use]];
      mesh_.corners_.push_back({at.x + 0.0F, at.y + 0.0F, at.z + 0.0F});  // no -0, for the hash
    }
    mesh_.triangles_[use / 3][use % 3] = number[first[use]];
  }
}

std::optional<Error> MeshBuilder::check_heights() const {
  for (std::uint32_t i = 0; i < mesh_.triangles_.size(); ++i) {
    const Vec3 a = corner(i, 0);
    const Vec3 b = corner(i, 1);
    const Vec3 c = corner(i, 2);
    const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
    const double height = longest > 0 ? length(cross(b - a, c - a)) / longest : 0;
    if (height < Mesh::height_min_m) {
      return wrong(i, "is a sliver, " + std::to_string(height * 1e3) +
                          " mm high: remove it, or make it at least 0.1 mm high");
    }
  }
  return std::nullopt;
}

std::optional<Error> MeshBuilder::check_duplicates() const {
  std::vector<std::pair<Corners, std::uint32_t>> all;
  for (std::uint32_t i = 0; i < mesh_.triangles_.size(); ++i) {
    Corners sorted = mesh_.triangles_[i];
    std::sort(sorted.begin(), sorted.end());
    all.emplace_back(sorted, i);
  }
  std::sort(all.begin(), all.end());
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].first != all[i - 1].first) continue;
    return wrong(all[i].second,
                 "has the same corners as triangle " + std::to_string(all[i - 1].second) +
                     ": remove one of them; a fence with two fronts is a mesh of its "
                     "own that is two-sided");
  }
  return std::nullopt;
}

void MeshBuilder::add_backs() {
  for (std::uint32_t i = 0; i < fronts_; ++i) {
    const Corners front = mesh_.triangles_[i];
    mesh_.triangles_.push_back({front[0], front[2], front[1]});
  }
}

Vec3 MeshBuilder::normal(std::uint32_t triangle) const {
  const Vec3 a = corner(triangle, 0);
  return normalized(cross(corner(triangle, 1) - a, corner(triangle, 2) - a));
}

std::optional<Error> MeshBuilder::bake_edges() {
  mesh_.edges_.assign(fronts_, 0);
  mesh_.edges_.resize(mesh_.triangles_.size(), Mesh::second_front);
  std::vector<Side> sides;
  sides.reserve(mesh_.triangles_.size() * 3);
  for (std::uint32_t i = 0; i < mesh_.triangles_.size(); ++i) {
    for (std::uint32_t edge = 0; edge < 3; ++edge) {
      const std::uint32_t a = mesh_.triangles_[i][edge];
      const std::uint32_t b = mesh_.triangles_[i][(edge + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), i >= fronts_, a < b, i, edge});
    }
  }
  const auto key = [](const Side& side) { return std::tuple(side.low, side.high, side.back); };
  std::sort(sides.begin(), sides.end(), [&](const Side& a, const Side& b) {
    return std::pair(key(a), a.triangle) < std::pair(key(b), b.triangle);
  });
  bool border = false;
  for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
    while (end < sides.size() && key(sides[end]) == key(sides[i])) ++end;
    border = border || end - i == 1;
    if (end - i == 2) {
      if (const auto error = bake_pair(sides[i], sides[i + 1])) return error;
      continue;
    }
    for (std::size_t k = i; k < end; ++k) mark(sides[k], Mesh::border);
  }
  if (source_.two_sided && !border) {
    return Error{
        "the mesh is closed and two-sided: whoever is inside could not get out; make it one-sided"};
  }
  return std::nullopt;
}

std::optional<Error> MeshBuilder::bake_pair(const Side& a, const Side& b) {
  const Vec3 normal_a = normal(a.triangle);
  const Vec3 normal_b = normal(b.triangle);
  const Vec3 start = corner(a.triangle, a.edge);
  const Vec3 far_a = corner(a.triangle, a.edge + 2);
  const Vec3 far_b = corner(b.triangle, b.edge + 2);
  if (a.forward == b.forward) {
    const Vec3 along = corner(a.triangle, a.edge + 1) - start;
    const Vec3 aside = cross(normal_a, along);
    const bool beside = dot(aside, far_a - start) * dot(aside, far_b - start) < 0;
    if (beside && dot(normal_a, normal_b) < flipped_cosine) {
      return wrong(std::max(a.triangle, b.triangle) % fronts_,
                   "has its front on the other side than triangle " +
                       std::to_string(std::min(a.triangle, b.triangle) % fronts_) +
                       " beside it: reverse the order of one's corners");
    }
    mark(a, Mesh::border);
    mark(b, Mesh::border);
    return std::nullopt;
  }
  const std::uint8_t edge = bend_at(start, {normal_a, far_a}, {normal_b, far_b});
  mark(a, edge);
  mark(b, edge);
  return std::nullopt;
}

void MeshBuilder::mark(const Side& side, std::uint8_t edge) {
  std::uint8_t& edges = mesh_.edges_[side.triangle];
  edges = static_cast<std::uint8_t>(edges | edge << side.edge);
}

/// By the middles of their bounds along an axis; equal ones by their corners, so that the order of
/// the source does not matter.
bool MeshBuilder::comes_before(std::uint32_t a, std::uint32_t b, int axis) const {
  const auto along = [&](std::uint32_t triangle, int i, int of) {
    const Vec3f& p = mesh_.corners_[mesh_.triangles_[triangle][static_cast<std::size_t>(i)]];
    return of == 0 ? p.x : of == 1 ? p.y : p.z;
  };
  const auto middle = [&](std::uint32_t triangle) {
    const auto [low, high] =
        std::minmax({along(triangle, 0, axis), along(triangle, 1, axis), along(triangle, 2, axis)});
    return low + high;
  };
  const float of_a = middle(a);
  const float of_b = middle(b);
  if (of_a != of_b) return of_a < of_b;
  for (int i = 0; i < 9; ++i) {
    const float at_a = along(a, i / 3, i % 3);
    const float at_b = along(b, i / 3, i % 3);
    if (at_a != at_b) return at_a < at_b;
  }
  return false;
}

/// Sorts `order`, which begins at the tree's triangle `first`.
void MeshBuilder::build_tree(std::span<std::uint32_t> order, std::uint32_t first) {
  const std::size_t at = mesh_.nodes_.size();
  Mesh::Node node;
  auto& [low, high] = node.bounds;
  low = high = mesh_.corners_[mesh_.triangles_[order.front()][0]];
  for (const std::uint32_t i : order) {
    for (const std::uint32_t corner : mesh_.triangles_[i]) {
      const Vec3f& p = mesh_.corners_[corner];
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
  }
  mesh_.nodes_.push_back(node);
  if (order.size() <= Mesh::leaf_triangles_max) {
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return comes_before(a, b, 0); });
    mesh_.nodes_[at].leaf = first * 8 + static_cast<std::uint32_t>(order.size());
  } else {
    const Vec3 size = to_double(high) - to_double(low);
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    const std::size_t middle = order.size() / 2;
    const auto half = order.begin() + static_cast<std::ptrdiff_t>(middle);
    // Which triangles are in which half depends on the numbers alone, not on the library's way.
    std::nth_element(order.begin(), half, order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return comes_before(a, b, axis); });
    build_tree(order.first(middle), first);
    build_tree(order.subspan(middle), first + static_cast<std::uint32_t>(middle));
  }
  mesh_.nodes_[at].skip = static_cast<std::uint32_t>(mesh_.nodes_.size());
}

void MeshBuilder::take_order() {
  std::vector<std::uint32_t> order(mesh_.triangles_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  build_tree(order, 0);
  std::vector<Corners> ordered;
  std::vector<std::uint8_t> edges;
  ordered.reserve(order.size());
  edges.reserve(order.size());
  mesh_.materials_ = source_.materials;
  for (const std::uint32_t i : order) {
    ordered.push_back(mesh_.triangles_[i]);
    edges.push_back(mesh_.edges_[i]);
    // A back follows all fronts, in the same order.
    if (!source_.materials.empty()) mesh_.material_of_.push_back(source_.material_of[i % fronts_]);
  }
  mesh_.triangles_ = std::move(ordered);
  mesh_.edges_ = std::move(edges);
  const auto& [low, high] = mesh_.nodes_.front().bounds;
  mesh_.bounds_ = {to_double(low), to_double(high)};
}

void MeshBuilder::take_hash() {
  StateHash hash;
  for (std::uint32_t i = 0; i < mesh_.triangles_.size(); ++i) {
    for (const std::uint32_t at : mesh_.triangles_[i]) {
      const Vec3f& p = mesh_.corners_[at];
      hash.add(p.x).add(p.y).add(p.z);
    }
    hash.add(mesh_.edges_[i]);
    if (const SurfaceMaterial* of = mesh_.material(i)) hash.add(of->surface).add(of->friction);
  }
  mesh_.hash_ = hash.value();
}

}  // namespace perigee::world
