#include "surroundings.hpp"

#include <algorithm>

#include "cell_boxes.hpp"
#include "extents.hpp"
#include "inverse_pose.hpp"
#include "triangle.hpp"

namespace perigee::world {
namespace {

constexpr std::size_t boxes_of_one_max = 128;
constexpr double penetrated_m = 1e-6;
constexpr double piece_m = 1;         // a longer way is swept through triangles piece by piece
constexpr double pieces_max = 1'000;  // a tick at 60 km/s
constexpr double beside_m = 1e-3;     // more than any rounding
constexpr double noise_way_m = 1e-9;
constexpr double noise_share = 1e-9;
constexpr double share_m = 1e-4;   // contacts this near to each other are one
constexpr double against = -1e-6;  // cosine: a way along an obstacle is not against it
constexpr double same_way = 0.999;

/// Everything that a capsule may touch on a part of its way.
NearTriangles::Query around_way(const Capsule& capsule, const Vec3& from, const Vec3& to) {
  const Vec3 half = absolute(capsule.half_axis);
  const Bounds ends = united({capsule.center + from, capsule.center + from},
                             {capsule.center + to, capsule.center + to});
  return {{ends.low - half, ends.high + half}, capsule.radius + skin_m + beside_m};
}

/// Calls visit(the fraction at its start, NearTriangles::Query) for pieces of the way, until visit
/// returns false. The first piece of a way straight down has `down_m`: an actor on the ground finds
/// the ground there.
template <class Visit>
void for_each_piece(const Capsule& capsule, const Vec3& motion, double down_m, Visit&& visit) {
  const double whole = length(motion);
  const double each_m = std::max(piece_m, whole / pieces_max);
  const bool down = motion.x == 0 && motion.z == 0 && motion.y < 0;
  double to = std::min((down ? down_m : each_m) / whole, 1.0);
  for (double from = 0; visit(from, around_way(capsule, motion * from, motion * to)) && to < 1;) {
    from = to;
    to = std::min(to + each_m / whole, 1.0);
  }
}

/// Of contacts within `share` of the nearest one, the one with the most upward face counts: a foot
/// on a step's edge stands on the step.
void take_nearer(const SweepHit& found, const Neighbour& owner, std::uint32_t triangle,
                 double share, Surroundings::Hit& hit) {
  const bool shares =
      hit.of_triangles && hit.owner == &owner && found.fraction >= hit.fraction - share;
  if (!shares) {
    if (hit.owner != nullptr && found.fraction >= hit.fraction) return;
    hit = {found.fraction, found.contact, &owner, true, triangle};
    return;
  }
  const auto upward = [](const Separation& contact) {
    return std::pair(contact.face.y, contact.normal.y);
  };
  if (upward(found.contact) > upward(hit.contact)) {
    hit.contact = found.contact;
    hit.triangle = triangle;
  }
  hit.fraction = std::min(hit.fraction, found.fraction);
}

std::uint16_t surface_of(const Neighbour& neighbour, std::uint32_t triangle) {
  if (triangle == no_triangle) return 0;
  const SurfaceMaterial* of = neighbour.shape->material(triangle);
  return of == nullptr ? std::uint16_t{} : of->surface;
}

/// Whether a point, in the neighbour's frame before and after, is behind a triangle now.
bool overrun(const Neighbour& neighbour, const Vec3& before, const Vec3& after) {
  const Vec3 way = after - before;
  const double whole = length(way);
  if (!neighbour.shape->is_level() || whole < noise_way_m) return false;
  bool out = false;
  neighbour.shape->for_each_surface([&](const auto& surface, bool of_a_hull) {
    out = out || (!of_a_hull && surface.cast_ray(before, way / whole, whole));
  });
  return out;
}

/// Whether a way in this direction would be stopped again by an obstacle that was met before.
bool is_stopped(const Vec3& direction, const Surroundings::StoppedWays& stopped) {
  return std::any_of(stopped.begin(), stopped.end(), [&](const Surroundings::StoppedWay& way) {
    return dot(direction, way.obstacle) < against || dot(direction, way.direction) > same_way;
  });
}

/// The capsule is already in this triangle, but its centre must not get behind.
std::optional<SweepHit> sweep_center(const Capsule& capsule, const Vec3& motion,
                                     const Triangle& triangle, double limit) {
  const Capsule center{capsule.center, {}, 0};
  return sweep(center, motion, triangle, limit);
}

}  // namespace

FixedVector<Surroundings::Candidate, candidates_max>& Surroundings::scratch() {
  // 30 KB that every step overwrites: per thread instead of per step.
  thread_local FixedVector<Candidate, candidates_max> candidates;
  return candidates;
}

template <class Visit>
void Surroundings::for_each_box_of(const Neighbour& neighbour, const Bounds& query, Visit visit) {
  if (neighbour.cutout != 0) {
    return for_each_box(cutouts_[neighbour.cutout - 1U], query, visit);
  }
  FixedVector<std::uint32_t, boxes_of_one_max> found;
  if (!neighbour.shape->find(query, found)) ++report_.overflows;
  for (const std::uint32_t i : found) visit(neighbour.shape->boxes()[i]);
}

void Surroundings::gather(const Bounds& around) {
  candidates_.clear();
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.kind != NeighbourKind::Solid) continue;
    const bool in_place = neighbour.pose == Pose{};
    const Bounds query = in_place ? around : transformed(inverse(neighbour.pose), around);
    for_each_box_of(neighbour, query, [&](const Box& box) {
      const bool fits = candidates_.push_back({turned(neighbour.pose, box), &neighbour});
      if (!fits) ++report_.overflows;
      return fits;
    });
  }
  report_.candidates = std::max(report_.candidates, static_cast<std::uint16_t>(candidates_.size()));
}

void Surroundings::gather_triangles(const Vec3& start, const Vec3& end) {
  if (triangles_.empty()) return;
  const Vec3 way = end - start;
  const double whole = length(way);
  const Vec3 to = whole > piece_m ? way * (piece_m / whole) : way;
  // A slope turns the way aside, and is this far below its end.
  aside_m_ = 0.02 + 0.4 * std::min(whole, piece_m);
  NearTriangles::Query around = around_way(capsule_at(start), {}, to);
  around.core = inflated(around.core, aside_m_ + beside_m);
  const std::size_t prepared = triangles_.gather(around);
  report_.triangles = static_cast<std::uint16_t>(prepared);
}

Surroundings::Hit Surroundings::sweep(const Vec3& center, const Vec3& motion,
                                      const Neighbour* except, bool through_penetrated) {
  ++report_.sweeps;
  const Capsule capsule = capsule_at(center);
  SweepHit nearest;
  Hit hit;
  for (const Candidate& candidate : candidates_) {
    if (candidate.owner == except) continue;
    if (through_penetrated && separation(capsule, candidate.box).distance < -penetrated_m) continue;
    if (world::sweep(capsule, motion, candidate.box, nearest)) hit.owner = candidate.owner;
  }
  hit.fraction = nearest.fraction;
  hit.contact = nearest.contact;
  if (!triangles_.empty()) sweep_triangles(capsule, motion, except, through_penetrated, hit);
  return hit;
}

void Surroundings::sweep_triangles(const Capsule& capsule, const Vec3& motion,
                                   const Neighbour* except, bool through_penetrated, Hit& hit) {
  const double whole = length(motion);
  if (whole < noise_way_m) return;
  const double share = share_m / whole;
  const auto look = [&](const Triangle& triangle, const Neighbour& owner) {
    if (&owner == except || !may_touch(capsule, motion, triangle)) return;
    const double limit = std::min(hit.fraction + share, 1.0);
    const bool inside =
        through_penetrated && separation(capsule, triangle, -penetrated_m).has_value();
    // A way out along the seam of two hulls: rounding alone would lead through the other's face.
    if (inside && triangle.index == no_triangle &&
        dot(motion, triangle.normal) > -noise_share * whole) {
      return;
    }
    const auto found = inside ? sweep_center(capsule, motion, triangle, limit)
                              : world::sweep(capsule, motion, triangle, limit);
    if (found) take_nearer(*found, owner, triangle.index, share, hit);
  };
  for_each_piece(capsule, motion, aside_m_, [&](double from, const NearTriangles::Query& path) {
    if (from > hit.fraction + share) return false;
    triangles_.for_each(path, look);
    return true;
  });
}

bool Surroundings::in_another_hull(const Vec3& point, const Neighbour& owner,
                                   const Hull& hull) const {
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.kind != NeighbourKind::Solid || neighbour.shape->hulls().empty()) continue;
    const Vec3 inside = inverse_transform(neighbour.pose, point);
    for (const HullPtr& other : neighbour.shape->hulls()) {
      const bool same = &neighbour == &owner && other.get() == &hull;
      if (!same && other->contains(inside)) return true;
    }
  }
  return false;
}

std::optional<Separation> Surroundings::separation_inside(const Capsule& capsule,
                                                          const Neighbour& owner, const Hull& hull,
                                                          const StoppedWays& stopped) const {
  const Pose& pose = owner.pose;
  const Vec3 center = inverse_transform(pose, capsule.center);
  // Rounding leaves gaps between hulls that meet, where their faces would hold the capsule.
  if (!hull.contains(center, penetrated_m)) return std::nullopt;
  const Vec3 half = rotate_back(pose.rotation, capsule.half_axis);
  std::optional<Separation> shortest;
  for (const Hull::Plane& plane : hull.planes()) {
    const double away = plane.above_m(center) - std::abs(dot(plane.normal, half)) - capsule.radius;
    if (shortest && away <= shortest->distance) continue;
    const Vec3 normal = rotate(pose.rotation, plane.normal);
    if (is_stopped(normal, stopped)) continue;
    if (in_another_hull(capsule.center + normal * (skin_m * 0.5 - away), owner, hull)) continue;
    shortest = Separation{away, normal, normal, capsule.center};
  }
  return shortest;
}

Surroundings::Hit Surroundings::deepest(const Vec3& center, double depth_m,
                                        const StoppedWays& stopped) const {
  Hit hit;
  double least = -depth_m;
  const Capsule capsule = capsule_at(center);
  for (const Candidate& candidate : candidates_) {
    const Separation found = separation(capsule, candidate.box);
    if (found.distance >= least) continue;
    least = found.distance;
    hit.contact = found;
    hit.owner = candidate.owner;
  }
  if (triangles_.empty()) return hit;
  triangles_.for_each(around_way(capsule, {}, {}),
                      [&](const Triangle& triangle, const Neighbour& owner) {
                        const auto found = separation(capsule, triangle, least);
                        if (!found) return;
                        least = found->distance;
                        hit.contact = *found;
                        hit.owner = &owner;
                        hit.triangle = triangle.index;
                      });
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.kind != NeighbourKind::Solid) continue;
    for (const HullPtr& hull : neighbour.shape->hulls()) {
      const auto found = separation_inside(capsule, neighbour, *hull, stopped);
      if (!found || found->distance >= least) continue;
      least = found->distance;
      hit.contact = *found;
      hit.owner = &neighbour;
      hit.triangle = no_triangle;
      hit.inside = true;
    }
  }
  return hit;
}

Vec3 Surroundings::depenetrate(Vec3 center) {
  StoppedWays stopped;
  for (int round = 0; round < depenetrations_max; ++round) {
    const Hit hit = deepest(center, penetrated_m, stopped);
    if (hit.owner == nullptr) break;
    // Half the skin: enough to separate, and too little to notice. Never through a third body.
    const Vec3 way = hit.contact.normal * (skin_m * 0.5 - hit.contact.distance);
    const Hit obstacle = sweep(center, way, nullptr, true);
    center += way * obstacle.fraction;
    touch(hit, 0);
    if (hit.inside && obstacle.owner != nullptr) {
      stopped.push_back({hit.contact.normal, obstacle.contact.normal});
    }
  }
  return center;
}

bool Surroundings::sweep_own(const Neighbour& neighbour, const Capsule& capsule, const Vec3& motion,
                             SweepHit& hit, std::uint32_t& triangle) {
  const double reach = params_.height_m / 2 + skin_m;
  const Vec3& from = capsule.center;
  const Bounds ends = inflated({from, from}, reach);
  const Bounds path = united(ends, inflated({from + motion, from + motion}, reach));
  bool met = false;
  for_each_box_of(neighbour, path, [&](const Box& box) {
    met |= world::sweep(capsule, motion, turned({}, box), hit);
    return true;
  });
  if (!neighbour.shape->has_triangles()) return met;
  const auto look = [&](const auto& surface, bool of_a_hull, const Bounds& piece) {
    surface.for_each_near(piece, [&](const Facet& facet) {
      const auto found = world::sweep(capsule, motion, Triangle(facet), hit.fraction);
      if (!found || (met && found->fraction >= hit.fraction)) return;
      hit = *found;
      triangle = of_a_hull ? no_triangle : facet.index;
      met = true;
    });
  };
  for_each_piece(capsule, motion, aside_m_, [&](double start, const NearTriangles::Query& piece) {
    if (start > hit.fraction) return false;
    neighbour.shape->for_each_surface(
        [&](const auto& surface, bool of_a_hull) { look(surface, of_a_hull, piece.bounds()); });
    return true;
  });
  return met;
}

Vec3 Surroundings::pushed(const Vec3& start, Vec3 center, Vec3& velocity) {
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.kind != NeighbourKind::Solid || neighbour.previous == neighbour.pose) continue;
    const Pose into = inverse(neighbour.pose);
    const Vec3 from = inverse_transform(neighbour.previous, start);
    const Vec3 way = transform(into, center) - from;
    Capsule capsule = capsule_at(from);
    capsule.half_axis = rotate(into.rotation, capsule.half_axis);
    SweepHit hit;
    std::uint32_t triangle = no_triangle;
    if (!sweep_own(neighbour, capsule, way, hit, triangle)) continue;
    ++report_.sweeps;
    const Vec3 carried = transform(neighbour.pose, from + way * hit.fraction) - center;
    const Vec3 goal = center + carried;
    gather(inflated(united({center, center}, {goal, goal}), params_.height_m + params_.step_up_m));
    center += carried * sweep(center, carried, &neighbour, true).fraction;
    const Vec3 normal = rotate(neighbour.pose.rotation, hit.contact.normal);
    const double short_of = dot(velocity_at(neighbour, center) - velocity, normal);
    if (short_of > 0) velocity += normal * short_of;
    const Vec3 point = transform(neighbour.pose, hit.contact.point) - normal * params_.radius_m;
    touch(neighbour, normal, point, short_of, triangle);
    if (overrun(neighbour, from, inverse_transform(neighbour.pose, center))) report_.crushed = true;
  }
  return center;
}

void Surroundings::touch(const Neighbour& neighbour, const Vec3& normal, const Vec3& point,
                         double closing_m_s, std::uint32_t triangle) {
  std::size_t at = 0;
  auto& contacts = report_.contacts;
  while (at < contacts.size() && contacts[at].id < neighbour.id) ++at;
  const auto closing = static_cast<float>(std::max(closing_m_s, 0.0));
  if (at < contacts.size() && contacts[at].id == neighbour.id) {
    contacts[at].closing_m_s = std::max(contacts[at].closing_m_s, closing);
    return;
  }
  const bool actor = neighbour.kind == NeighbourKind::Actor;
  const Contact contact{neighbour.id,     actor,           surface_of(neighbour, triangle),
                        to_float(normal), to_float(point), closing};
  if (!contacts.insert(at, contact)) ++report_.overflows;
}

void Surroundings::stand_on(const Hit& hit) {
  touch(hit, 0);
  report_.ground_surface = surface_of(*hit.owner, hit.triangle);
}

}  // namespace perigee::world
