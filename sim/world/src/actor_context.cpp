#include "perigee/world/actor_context.hpp"

#include <algorithm>

#include "perigee/world/ray.hpp"

namespace perigee::world {
namespace {

constexpr double aim_max = 1e3;  // of a direction's components; most have length 1

std::optional<CellHit> cast_cutout(const VoxelCutout& cutout, const Vec3& from,
                                   const Vec3& direction, double range_m) {
  return cast_cells([&](const Cell& cell) { return cutout.solid(cell); }, cutout.bounds(),
                    cutout.cell_m, from, direction, range_m);
}

}  // namespace

bool ActorContext::aims(const Vec3& from, const Vec3& direction, double range_m) const {
  const bool finite = is_place(from) && within(direction, aim_max) && range_m <= place_max_m;
  return finite || record_.wishes.refuse(GameValue::RayAim);
}

Vec3 ActorContext::look() const { return look_direction(record_.input.yaw, record_.input.pitch); }

std::optional<NearHit> ActorContext::ray(const Vec3& from, const Vec3& direction,
                                         double range_m) const {
  if (!aims(from, direction, range_m)) return std::nullopt;
  const Vec3 end = from + direction * range_m;
  look_at(united({from, from}, {end, end}));
  std::optional<NearHit> nearest;
  for (const Neighbour& neighbour : record_.neighbours) {
    if (neighbour.kind == NeighbourKind::Trigger) continue;
    const Vec3 start = inverse_transform(neighbour.previous, from);
    const Vec3 way = rotate_back(neighbour.previous.rotation, direction);
    std::optional<double> away_m;
    if (neighbour.cutout == 0) {
      away_m = cast_ray(*neighbour.shape, start, way, range_m);
    } else if (const auto hit = cast_cutout(cutout_of(neighbour), start, way, range_m)) {
      away_m = hit->away_m;
    }
    if (away_m && (!nearest || *away_m < nearest->away_m)) nearest = NearHit{neighbour.id, *away_m};
  }
  return nearest;
}

std::optional<DigHit> ActorContext::dig_ray(const Vec3& from, const Vec3& direction,
                                            double range_m) const {
  if (!aims(from, direction, range_m)) return std::nullopt;
  std::optional<DigHit> nearest;
  for (const Neighbour& neighbour : record_.neighbours) {
    if (neighbour.cutout == 0) continue;
    const auto hit = cast_cutout(cutout_of(neighbour), inverse_transform(neighbour.previous, from),
                                 rotate_back(neighbour.previous.rotation, direction),
                                 nearest ? nearest->away_m : range_m);
    if (!hit) continue;
    const VoxelPlan& plan = *neighbour.shape->voxels();
    nearest = DigHit{neighbour.id, plan.index_of(hit->cell), std::nullopt, hit->away_m};
    if (hit->away_m > 0 && plan.contains(hit->before)) nearest->before = plan.index_of(hit->before);
  }
  return nearest;
}

bool ActorContext::occupied(Handle patch, std::uint32_t cell, const ActorParams& own) const {
  constexpr double touch_m = 0.02;  // a cell beside the feet is not occupied
  const auto stands_in = [](const Vec3& at, const Bounds& body, const Bounds& cell_bounds) {
    return overlap({at + body.low, at + body.high}, cell_bounds);
  };
  const Vec3 half{own.radius_m, own.height_m / 2, own.radius_m};
  for (const Neighbour& ground : record_.neighbours) {
    if (ground.id != patch || ground.shape->voxels() == nullptr) continue;
    const VoxelPlan& plan = *ground.shape->voxels();
    const Cell low = plan.cell_of(cell);
    const Bounds whole = plan.bounds_of(low, {low.x + 1, low.y + 1, low.z + 1});
    const Bounds there = transformed(ground.previous, inflated(whole, -touch_m));
    look_at(there);
    if (stands_in(motion().position, {-half, half}, there)) return true;
    for (const Neighbour& other : record_.neighbours) {
      if (other.kind == NeighbourKind::Actor &&
          stands_in(other.previous.position, other.shape->bounds(), there)) {
        return true;
      }
    }
  }
  return false;
}

void ActorContext::look_at(const Bounds& place) const {
  Bounds& looked = record_.wishes.looked;
  looked = looked == nowhere ? place : united(looked, place);
}

std::optional<TypeId> ActorContext::type_of(Handle entity) const {
  for (const Neighbour& neighbour : record_.neighbours) {
    if (neighbour.id == entity) return neighbour.type;
  }
  return std::nullopt;
}

std::optional<Vec3> ActorContext::velocity_of(Handle entity) const {
  for (const Neighbour& neighbour : record_.neighbours) {
    if (neighbour.id == entity) return neighbour.velocity;
  }
  return std::nullopt;
}

bool ActorContext::limit_speed(double share) {
  Wishes& wishes = record_.wishes;
  if (!(share >= 0 && share <= 1)) return wishes.refuse(GameValue::SpeedShare);
  wishes.speed_share = std::min(wishes.speed_share, share);
  return true;
}

bool ActorContext::impulse(const Vec3& change_m_s) {
  Wishes& wishes = record_.wishes;
  const Vec3 sum = wishes.impulse + change_m_s;
  if (!within(sum, speed_max_m_s)) return wishes.refuse(GameValue::ActorImpulse);
  wishes.impulse = sum;
  return true;
}

bool ActorContext::cue(std::uint8_t effect, Handle subject) {
  Wishes& wishes = record_.wishes;
  const auto index = static_cast<std::uint8_t>(first_cue_index + wishes.indices);
  if (!wishes.cues.push_back({index, effect, false, subject})) return false;
  ++wishes.indices;
  return true;
}

bool ActorContext::propose(Proposal proposal, std::uint8_t effect) {
  Wishes& wishes = record_.wishes;
  const Vec3 velocity = proposal.direction * proposal.speed_m_s;
  const bool aims = is_place(proposal.from) && within(proposal.direction, aim_max) &&
                    proposal.speed_m_s >= 0 && within(velocity, speed_max_m_s);
  if (!aims) return wishes.refuse(GameValue::ProposalAim);
  proposal.index = static_cast<std::uint8_t>(first_cue_index + wishes.indices);
  if (!wishes.proposals.push_back(proposal)) return false;
  ++wishes.indices;
  if (effect != 0) wishes.cues.push_back({proposal.index, effect, true, proposal.target});
  return true;
}

bool ActorContext::push(Handle body, const Vec3& impulse, const Vec3& at) {
  if (!within(impulse, impulse_max_n_s) || !is_place(at)) {
    return record_.wishes.refuse(GameValue::PushImpulse);
  }
  return record_.wishes.pushes.push_back({body, impulse, at});
}

}  // namespace perigee::world
