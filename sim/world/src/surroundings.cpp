#include "surroundings.hpp"

#include <algorithm>

#include "cell_boxes.hpp"

namespace perigee::world {
namespace {

constexpr int depenetrations_max = 4;
constexpr std::size_t boxes_of_one_max = 128;
constexpr double penetrated_m = 1e-6;

Pose inverse(const Pose& pose) {
  const Quat back = conjugate(pose.rotation);
  return {rotate(back, -pose.position), back};
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
  return hit;
}

Surroundings::Hit Surroundings::deepest(const Vec3& center, double depth_m) const {
  Hit hit;
  double least = -depth_m;
  for (const Candidate& candidate : candidates_) {
    const Separation found = separation(capsule_at(center), candidate.box);
    if (found.distance >= least) continue;
    least = found.distance;
    hit.contact = found;
    hit.owner = candidate.owner;
  }
  return hit;
}

Vec3 Surroundings::depenetrate(Vec3 center) {
  for (int round = 0; round < depenetrations_max; ++round) {
    const Hit hit = deepest(center, penetrated_m);
    if (hit.owner == nullptr) break;
    // Half the skin: enough to separate, and too little to notice. Never through a third body.
    const Vec3 way = hit.contact.normal * (skin_m * 0.5 - hit.contact.distance);
    center += way * sweep(center, way, nullptr, true).fraction;
    touch(hit, 0);
  }
  return center;
}

Vec3 Surroundings::pushed(const Vec3& start, Vec3 center, Vec3& velocity) {
  for (const Neighbour& neighbour : neighbours_) {
    if (neighbour.kind != NeighbourKind::Solid || neighbour.previous == neighbour.pose) continue;
    const Pose into = inverse(neighbour.pose);
    const Vec3 from = inverse_transform(neighbour.previous, start);
    const Vec3 way = transform(into, center) - from;
    Capsule capsule = capsule_at(from);
    capsule.half_axis = rotate(into.rotation, capsule.half_axis);
    const double reach = params_.height_m / 2 + skin_m;
    const Bounds ends = inflated({from, from}, reach);
    const Bounds path = united(ends, inflated({from + way, from + way}, reach));
    SweepHit hit;
    bool met = false;
    for_each_box_of(neighbour, path, [&](const Box& box) {
      met |= world::sweep(capsule, way, turned({}, box), hit);
      return true;
    });
    if (!met) continue;
    ++report_.sweeps;
    const Vec3 carried = transform(neighbour.pose, from + way * hit.fraction) - center;
    const Vec3 goal = center + carried;
    gather(inflated(united({center, center}, {goal, goal}), params_.height_m + params_.step_up_m));
    center += carried * sweep(center, carried, &neighbour, true).fraction;
    const Vec3 normal = rotate(neighbour.pose.rotation, hit.contact.normal);
    const double short_of = dot(velocity_at(neighbour, center) - velocity, normal);
    if (short_of > 0) velocity += normal * short_of;
    const Vec3 point = transform(neighbour.pose, hit.contact.point) - normal * params_.radius_m;
    touch(neighbour, normal, point, short_of);
  }
  return center;
}

void Surroundings::touch(const Neighbour& neighbour, const Vec3& normal, const Vec3& point,
                         double closing_m_s) {
  std::size_t at = 0;
  auto& contacts = report_.contacts;
  while (at < contacts.size() && contacts[at].id < neighbour.id) ++at;
  const auto closing = static_cast<float>(std::max(closing_m_s, 0.0));
  if (at < contacts.size() && contacts[at].id == neighbour.id) {
    contacts[at].closing_m_s = std::max(contacts[at].closing_m_s, closing);
    return;
  }
  const bool actor = neighbour.kind == NeighbourKind::Actor;
  const Contact contact{neighbour.id, actor, to_float(normal), to_float(point), closing};
  if (!contacts.insert(at, contact)) ++report_.overflows;
}

}  // namespace perigee::world
