#include "perigee/world/actor_step.hpp"

#include <algorithm>
#include <utility>

#include "actor_controller.hpp"
#include "actor_mover.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "surroundings.hpp"
#include "triggers.hpp"

namespace perigee::world {
namespace {

constexpr double dt = seconds_per_tick;

std::uint64_t digest(const StepReport& report) {
  StateHash hash;
  // An eighth: coarse enough to ignore rounding, fine enough to tell a wall from a floor.
  const auto coarse = [](float component) {
    return static_cast<std::int8_t>(component * 8 + (component < 0 ? -0.5F : 0.5F));
  };
  for (const Contact& contact : report.contacts) {
    hash.add(contact.id).add(coarse(contact.normal.x));
    hash.add(coarse(contact.normal.y)).add(coarse(contact.normal.z));
  }
  return hash.value();
}

bool sorted_by_id(std::span<const Neighbour> neighbours) {
  return std::is_sorted(neighbours.begin(), neighbours.end(),
                        [](const Neighbour& a, const Neighbour& b) { return a.id < b.id; });
}

const Neighbour* find(std::span<const Neighbour> neighbours, Handle id) {
  for (const Neighbour& neighbour : neighbours) {
    if (neighbour.id == id) return &neighbour;
  }
  return nullptr;
}

/// Soft and horizontal: displacement by other actors' bodies in a tick.
Vec3 pushed_aside(const ActorParams& params, std::span<const Neighbour> neighbours,
                  const Vec3& position, const Vec3& velocity, Surroundings& around) {
  Vec3 push;
  for (const Neighbour& other : neighbours) {
    if (other.kind != NeighbourKind::Actor) continue;
    const Bounds& body = other.shape->bounds();
    const Vec3 offset = position - other.pose.position;
    const double reach = params.radius_m + body.high.x;
    const double gap = std::sqrt(offset.x * offset.x + offset.z * offset.z);
    if (gap >= reach || std::abs(offset.y) >= params.height_m / 2 + body.high.y) continue;
    // Two actors in exactly the same place get fixed directions, by their ids.
    const SinCos any = sin_cos(unit_interval(mix64(other.id)) * 2 * pi);
    const Vec3 away =
        gap > 1e-6 ? Vec3{offset.x / gap, 0, offset.z / gap} : Vec3{any.sin, 0, any.cos};
    push += away * (params.push_m_s * dt * (reach - gap) / reach);
    const double closing_m_s = dot(other.velocity - velocity, away);
    around.touch(other, away, position - away * params.radius_m, closing_m_s);
  }
  return push;
}

void count_ticks(ActorState& state, Handle ground_before, const ActorParams& params) {
  if ((state.flags & actor_grounded) != 0) {
    const bool same = state.ground == ground_before;
    const int ticks = same ? state.grounded_ticks + 1 : 1;
    state.grounded_ticks = static_cast<std::uint8_t>(std::min(ticks, 255));
    state.coyote_ticks = params.coyote_ticks;
  } else {
    state.grounded_ticks = 0;
    if (state.coyote_ticks > 0) --state.coyote_ticks;
  }
  if (state.jump_ticks > 0) --state.jump_ticks;
}

}  // namespace

ShapePtr actor_shape(const ActorParams& params) {
  return make_capsule_shape(params.radius_m, params.height_m);
}

Bounds reach_of(const ActorParams& params, const ActorState& state) {
  const Vec3 way = to_double(state.velocity) * dt;
  const Bounds ends =
      united({state.position, state.position}, {state.position + way, state.position + way});
  return inflated(ends, params.height_m / 2 + params.step_up_m + params.snap_m + 0.25);
}

StepReport step_actor(const ActorParams& params, const FrameMotion& frame,
                      std::span<const Neighbour> neighbours, const PlayerInput& input,
                      ActorState& state, std::span<const VoxelCutout> cutouts) {
  PERIGEE_ASSERT(sorted_by_id(neighbours), "neighbours must be sorted by id");
  StepReport report;
  Surroundings around(neighbours, cutouts, params, report);
  const Vec3 start = state.position;
  const Handle ground_before = state.ground;
  const Neighbour* ground =
      (state.flags & actor_grounded) != 0 ? find(neighbours, state.ground) : nullptr;

  const Steering steering = read_input(input);
  Motive motive = control(params, frame, steering, ground, state);

  report.swept = united(reach_of(params, state), inflated({start + motive.way, start + motive.way},
                                                          params.height_m + params.step_up_m));
  around.gather(report.swept);
  around.gather_triangles(start, start + motive.carried + motive.way);
  if (motive.carried != Vec3{}) {
    const Vec3 to = start + motive.carried;
    around.gather(united(report.swept, inflated({to, to}, params.height_m + params.step_up_m)));
    state.position += motive.carried * around.sweep(start, motive.carried, ground, true).fraction;
  }
  state.position = around.pushed(start, state.position, motive.velocity);
  state.position = around.depenetrate(state.position);
  const Vec3 half{params.radius_m, params.height_m / 2, params.radius_m};
  report.body = {state.position - half, state.position + half};
  motive.way += pushed_aside(params, neighbours, state.position, motive.velocity, around);
  move(params, around, motive, state);
  settle(params, around, motive, state);

  note_triggers(params, neighbours, start, state.position, report);
  state.velocity = to_float(motive.velocity);
  count_ticks(state, ground_before, params);
  report.ground = state.ground;
  report.swept = united(report.swept, inflated({state.position, state.position}, params.height_m));
  report.contact_digest = digest(report);
  return report;
}

}  // namespace perigee::world
