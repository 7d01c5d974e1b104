#include "actor_mover.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

constexpr int planes_max = 4;
constexpr Vec3 up{0, 1, 0};
constexpr double rest_min_m = 1e-7;           // rounding error of a displacement in a wedge
constexpr double landing_gap_m = 2 * skin_m;  // closer than this counts as on the ground
constexpr double landing_normal_y_min = 0.3;  // no landing on an edge beside the shoulder
constexpr double step_gain_min_m = 1e-4;      // a step must gain at least this much forward

Vec3 without(const Vec3& v, const Vec3& normal) {
  return v - normal * std::min(dot(v, normal), 0.0);
}
double level_length(const Vec3& v) { return std::sqrt(v.x * v.x + v.z * v.z); }

/// Walking keeps its speed on a slope: along the plane, with the same length.
Vec3 along_slope(const Vec3& way, const Vec3& normal) {
  const Vec3 flat = way - normal * dot(way, normal);
  const double l = length(flat);
  return l > 1e-9 ? flat * (length(way) / l) : Vec3{};
}

/// The part of `way` that enters none of the planes. (crease rule)
Vec3 clipped(const Vec3& way, std::span<const Vec3> planes) {
  for (std::size_t i = planes.size(); i-- > 0;) {
    const Vec3 candidate = without(way, planes[i]);
    bool free = true;
    for (std::size_t j = 0; j < planes.size(); ++j) {
      free = free && (j == i || dot(candidate, planes[j]) >= -1e-9);
    }
    if (free) return candidate;
  }
  if (planes.size() != 2) return {};
  const Vec3 crease = normalized(cross(planes[0], planes[1]));
  return crease * dot(way, crease);
}

struct Slide {
  Vec3 position;
  Vec3 velocity;
  bool walled = false;  ///< an obstacle steeper than a walkable slope was hit
};
Slide slide(const ActorParams& params, Surroundings& around, const Motive& motive,
            const Vec3& start) {
  Slide out{start, motive.velocity};
  Vec3 rest = motive.way;
  FixedVector<Vec3, planes_max> planes;
  for (int round = 0; round < planes_max && length(rest) > rest_min_m; ++round) {
    const Surroundings::Hit hit = around.sweep(out.position, rest);
    out.position += rest * hit.fraction;
    if (hit.owner == nullptr) break;
    rest *= 1 - hit.fraction;
    Vec3 normal = hit.contact.normal;
    const Vec3 surface = velocity_at(*hit.owner, hit.contact.point);
    const double closing = -dot(out.velocity - surface, normal);
    if (motive.walks && normal.y >= params.slope_cosine_min) {
      around.touch(hit, 0);
      rest = along_slope(rest, normal);
      planes.push_back(normal);
      continue;
    }
    out.walled = true;
    around.touch(hit, closing);
    // An obstacle does not lift a walker: for a walker, a steep face counts as vertical.
    if (motive.walks) normal = normalized({normal.x, 0, normal.z}, normal);
    planes.push_back(normal);
    out.velocity = surface + without(out.velocity - surface, normal);
    rest = clipped(rest, {planes.begin(), planes.size()});
  }
  return out;
}

bool walkable(const ActorParams& params, const Surroundings::Hit& hit) {
  return hit.owner != nullptr && hit.contact.face.y >= params.slope_cosine_min;
}

/// Up, along, down again: true if that leads to walkable ground farther ahead than `reached`.
bool step_up(const ActorParams& params, Surroundings& around, const Motive& motive,
             const Vec3& start, const Vec3& reached, Vec3& position) {
  const Vec3 rise{0, params.step_up_m, 0};
  Vec3 at = start + rise * around.sweep(start, rise).fraction;
  const double risen = at.y - start.y;
  if (risen < skin_m) return false;
  const Vec3 ahead{motive.way.x, 0, motive.way.z};
  const Vec3 direction = normalized(ahead);
  at += ahead * around.sweep(at, ahead).fraction;
  const double gain = dot(at - reached, direction);
  if (gain < step_gain_min_m) return false;
  const Vec3 down{0, -(risen + skin_m), 0};
  const Surroundings::Hit floor = around.sweep(at, down);
  if (!walkable(params, floor)) return false;
  // The rounded foot touches an edge before it stands on the edge: the height of the edge decides.
  const Separation& edge = floor.contact;
  const double foot = start.y - params.height_m / 2;
  if (edge.point.y - edge.normal.y * params.radius_m > foot + params.step_up_m + skin_m)
    return false;
  at += down * floor.fraction;
  around.touch(floor, 0);
  position = at;
  return true;
}

void set_flag(ActorState& state, std::uint8_t flag, bool on) {
  state.flags = static_cast<std::uint8_t>(on ? state.flags | flag : state.flags & ~flag);
}

}  // namespace

void move(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state) {
  const Vec3 start = state.position;
  const Slide slid = slide(params, around, motive, start);
  Vec3 stepped;
  if (motive.walks && slid.walled && level_length(motive.way) > 0 &&
      step_up(params, around, motive, start, slid.position, stepped)) {
    state.position = stepped;
    set_flag(state, actor_blocked, false);
    return;
  }
  state.position = slid.position;
  motive.velocity = slid.velocity;
  set_flag(state, actor_blocked, slid.walled);
}

void settle(const ActorParams& params, Surroundings& around, Motive& motive, ActorState& state) {
  const bool flying = (state.flags & actor_jetpack) != 0;
  const bool probes = !flying && motive.has_weight && state.jump_ticks == 0;
  const double depth = motive.walks ? params.snap_m : landing_gap_m;
  Surroundings::Hit hit;
  if (probes) hit = around.sweep(state.position, up * -depth);
  if (hit.owner != nullptr && hit.contact.normal.y < landing_normal_y_min) {
    // An edge beside the foot is not the ground if there is a floor at the same distance.
    const Surroundings::Hit floor = around.sweep(state.position, up * -depth, hit.owner);
    const bool as_near = (floor.fraction - hit.fraction) * depth < skin_tolerance_m;
    if (walkable(params, floor) && as_near) hit = floor;
  }
  bool stands = walkable(params, hit);
  if (stands && !motive.walks) {
    const Vec3 surface = velocity_at(*hit.owner, state.position);
    // An actor that rises or flies away does not land, however near the ground is.
    stands = hit.contact.normal.y >= landing_normal_y_min &&
             dot(motive.velocity - surface, hit.contact.face) <= 1e-3;
    if (stands) around.touch(hit, surface.y - motive.velocity.y);
  }
  set_flag(state, actor_grounded, stands);
  state.ground = stands ? hit.owner->id : no_entity;
  if (!stands) return;
  state.position += up * (-depth * hit.fraction);
  motive.velocity.y = velocity_at(*hit.owner, state.position).y;
  around.stand_on(hit);
}

}  // namespace perigee::world
