#include "perigee/world/hull.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "extents.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::world {
namespace {

/// Points this near to a plane, as a share of the solid's size, are in the plane: exporters round
/// corners to floats.
constexpr double in_plane = 1e-5;
constexpr double sliver_sine = 1e-4;  // three points that are nearly in a line span no plane

Error not_solid(const std::string& why) { return Error{"the hull " + why}; }
Error nearly_flat() {
  return not_solid(
      "has corners that are almost, but not quite, in one plane or in one line: move them by a "
      "millimetre, or leave one out");
}

}  // namespace

/// At most 64 points, so each plane through three of them is tried.
class HullBuilder {
 public:
  explicit HullBuilder(std::span<const Vec3f> points) : points_(points) {}

  Result<HullPtr> build() {
    if (const auto error = take_points()) return *error;
    // Faces depend a little on the points that are no corners, so they are found again without.
    do {
      take_slack();
      faces_.clear();
      if (const auto error = find_faces()) return *error;
      for (Face& face : faces_) order(face);
    } while (leave_out_unused());
    if (const auto error = check_closed()) return *error;
    MeshSource source;
    for (const Vec3& at : at_) source.corners.push_back(to_float(at));
    for (const Face& face : faces_) add_triangles(face, source);
    auto surface = Mesh::make(source);
    if (!surface) {
      return not_solid(
          "has two corners too near to each other, or three almost in one line: leave one out, or "
          "move it by a millimetre");
    }
    Hull out;
    out.surface_ = std::move(surface).value();
    StateHash hash;
    hash.add(out.surface_->hash());
    for (const Face& face : faces_) {
      const Hull::Plane& plane = out.planes_.emplace_back(plane_of(face));
      hash.add(plane.normal.x).add(plane.normal.y).add(plane.normal.z).add(plane.offset_m);
    }
    out.hash_ = hash.value();
    return std::make_shared<const Hull>(std::move(out));
  }

 private:
  struct Face {
    Vec3 normal;
    std::uint64_t points = 0;            ///< a bit for each
    std::vector<std::uint32_t> polygon;  ///< counter-clockwise as seen from outside
  };

  /// In an order that depends on the places alone, each once.
  std::optional<Error> take_points() {
    if (points_.size() < 4 || points_.size() > Hull::corners_max) {
      return not_solid("has " + std::to_string(points_.size()) + " corners: a solid has 4 to 64");
    }
    for (const Vec3f& point : points_) {
      const Vec3 at = to_double(point);
      const Vec3 far = absolute(at);
      if (!(far.x <= Mesh::coordinate_max_m && far.y <= Mesh::coordinate_max_m &&
            far.z <= Mesh::coordinate_max_m)) {
        return not_solid("has a corner that is not a place within 32,768 m of its origin");
      }
      at_.push_back(at + Vec3{});  // no -0
    }
    std::sort(at_.begin(), at_.end(), [](const Vec3& a, const Vec3& b) {
      return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
    });
    at_.erase(std::unique(at_.begin(), at_.end()), at_.end());
    return std::nullopt;
  }

  void take_slack() {
    Bounds around{at_.front(), at_.front()};
    for (const Vec3& at : at_) around = united(around, {at, at});
    slack_m_ = in_plane * length(around.size());
  }

  /// Whether some points were no corner of any face.
  bool leave_out_unused() {
    std::vector<bool> used(at_.size());
    for (const Face& face : faces_) {
      for (const std::uint32_t p : face.polygon) used[p] = true;
    }
    std::vector<Vec3> kept;
    for (std::size_t p = 0; p < at_.size(); ++p) {
      if (used[p]) kept.push_back(at_[p]);
    }
    const bool all = kept.size() == at_.size();
    at_ = std::move(kept);
    return !all;
  }

  /// Planes with all points on one side.
  std::optional<Error> find_faces() {
    const auto count = static_cast<std::uint32_t>(at_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      for (std::uint32_t j = i + 1; j < count; ++j) {
        for (std::uint32_t k = j + 1; k < count; ++k) {
          if (const auto error = try_plane(i, j, k)) return error;
        }
      }
    }
    if (faces_.size() < 4) return not_solid("is flat: its corners are in one plane or one line");
    return std::nullopt;
  }

  std::optional<Error> try_plane(std::uint32_t i, std::uint32_t j, std::uint32_t k) {
    const Vec3 u = at_[j] - at_[i];
    const Vec3 v = at_[k] - at_[i];
    const Vec3 across = cross(u, v);
    const double size = length(across);
    if (size <= sliver_sine * length(u) * length(v)) return std::nullopt;
    Vec3 normal = across / size;
    double above = 0;
    double below = 0;
    std::uint64_t points = 0;
    for (std::size_t p = 0; p < at_.size(); ++p) {
      const double height = dot(normal, at_[p] - at_[i]);
      above = std::max(above, height);
      below = std::min(below, height);
      if (above > slack_m_ && below < -slack_m_) return std::nullopt;
      if (std::abs(height) <= slack_m_) points |= std::uint64_t{1} << p;
    }
    if (above > slack_m_) normal = -normal;
    if (std::max(above, -below) < Hull::thickness_min_m) {
      return not_solid("is flat: it is less than 1 mm thick");
    }
    for (const Face& face : faces_) {
      if (face.points == points) return std::nullopt;
    }
    faces_.push_back({normal, points, {}});
    return std::nullopt;
  }

  /// A point of a face by its direction from the face's middle, counter-clockwise from the first.
  struct Spoke {
    double turn = 0;  ///< grows with the angle, 4 for all of it
    double away_m2 = 0;
    std::uint32_t point = 0;

    friend auto operator<=>(const Spoke&, const Spoke&) = default;
  };

  /// The face's points around its middle, without those on its edges and inside.
  void order(Face& face) const {
    Vec3 middle;
    std::size_t count = 0;
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      if ((face.points >> p & 1) == 0) continue;
      middle += at_[p];
      ++count;
    }
    middle = middle / static_cast<double>(count);
    std::vector<Spoke> spokes;
    Vec3 right, ahead;
    for (std::uint32_t p = 0; p < at_.size(); ++p) {
      if ((face.points >> p & 1) == 0) continue;
      const Vec3 out = at_[p] - middle;
      const Vec3 along = out - face.normal * dot(face.normal, out);
      const double away_m2 = length_squared(along);
      if (away_m2 <= slack_m_ * slack_m_) continue;  // it has no direction, and is no corner
      if (spokes.empty()) {
        right = normalized(along);
        ahead = cross(face.normal, right);
        spokes.push_back({0, away_m2, p});
        continue;
      }
      const double x = dot(along, right);
      const double y = dot(along, ahead);
      const double share = x / (std::abs(x) + std::abs(y));
      spokes.push_back({y >= 0 ? 1 - share : 3 + share, away_m2, p});
    }
    std::sort(spokes.begin(), spokes.end());
    for (const Spoke& spoke : spokes) face.polygon.push_back(spoke.point);
    leave_out_straight(face);
  }

  void leave_out_straight(Face& face) const {
    for (std::size_t i = 0; i < face.polygon.size() && face.polygon.size() > 2;) {
      const std::size_t count = face.polygon.size();
      const Vec3& before = at_[face.polygon[(i + count - 1) % count]];
      const Vec3& here = at_[face.polygon[i]];
      const Vec3 along = at_[face.polygon[(i + 1) % count]] - before;
      // How far the corner is outside of the line between its neighbours.
      const double out = dot(cross(here - before, along), face.normal);
      if (out > slack_m_ * length(along)) {
        ++i;
        continue;
      }
      face.polygon.erase(face.polygon.begin() + static_cast<std::ptrdiff_t>(i));
      i = i > 0 ? i - 1 : 0;
    }
  }

  /// Each edge has a face on both sides, or two planes were nearly the same.
  std::optional<Error> check_closed() const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    std::size_t count = 0;
    for (const Face& face : faces_) {
      for (std::size_t i = 0; i < face.polygon.size(); ++i) {
        edges.emplace(face.polygon[i], face.polygon[(i + 1) % face.polygon.size()]);
        ++count;
      }
    }
    bool closed = edges.size() == count;
    for (const Face& face : faces_) closed = closed && face.polygon.size() > 2;
    for (const auto& [from, to] : edges) closed = closed && edges.count({to, from}) == 1;
    if (closed) return std::nullopt;
    return nearly_flat();
  }

  static void add_triangles(const Face& face, MeshSource& to) {
    for (std::size_t i = 2; i < face.polygon.size(); ++i) {
      to.triangles.push_back({face.polygon[0], face.polygon[i - 1], face.polygon[i]});
    }
  }

  /// All points are on it or below.
  Hull::Plane plane_of(const Face& face) const {
    Hull::Plane out{face.normal, dot(face.normal, at_[face.polygon[0]])};
    for (const Vec3& at : at_) out.offset_m = std::max(out.offset_m, dot(face.normal, at));
    return out;
  }

  std::span<const Vec3f> points_;
  std::vector<Vec3> at_;
  double slack_m_ = 0;
  std::vector<Face> faces_;
};

Result<HullPtr> Hull::make(std::span<const Vec3f> points) {
  auto made = HullBuilder(points).build();
  if (!made) return made;
  // A recording has the corners alone. Where rounding decides, they could make another hull.
  const auto again = HullBuilder(made.value()->corners()).build();
  if (again && again.value()->hash() == made.value()->hash()) return made;
  return nearly_flat();
}

}  // namespace perigee::world
