#include "perigee/world/body_forces.hpp"

#include <algorithm>
#include <utility>

namespace perigee::world {
namespace {

constexpr std::size_t impulses_at_start = 1024;  // room for them is taken at start

}  // namespace

BodyForces::BodyForces(Needs needs) : needs_(needs) { impulses_.reserve(impulses_at_start); }

bool BodyForces::drive(Handle body, const Vec3& velocity, const Vec3& angular_velocity) {
  EntityRecord* r = needs_.entities.find(body);
  if (r == nullptr || !r->is(EntityKind::Body)) {
    return needs_.calls.refuse(GameValue::BodyName, body);
  }
  if (!within(velocity, speed_max_m_s) || !within(angular_velocity, spin_max_rad_s)) {
    return needs_.calls.refuse(GameValue::DriveVelocity, *r);
  }
  if (r->entity.remote) return false;
  if (!std::exchange(r->driven, true)) driven_.push_back(r);
  r->drive_velocity = velocity;
  r->drive_angular = angular_velocity;
  return true;
}

void BodyForces::drop_drive(EntityRecord& record) {
  if (std::exchange(record.driven, false)) std::erase(driven_, &record);
}

bool BodyForces::add_impulse(Handle body, const Vec3& impulse, const Vec3& world_point) {
  const EntityRecord* r = needs_.entities.find(body);
  if (r == nullptr || !r->moves_by_physics()) return false;
  if (!within(impulse, impulse_max_n_s) || !is_place(world_point)) {
    return needs_.calls.refuse(GameValue::Impulse, *r);
  }
  impulses_.push_back({r->entity.id, body, impulse, world_point});
  return true;
}

void BodyForces::apply() {
  apply_impulses();
  apply_fields();
  apply_drives();
}

void BodyForces::apply_impulses() {
  std::stable_sort(impulses_.begin(), impulses_.end(),
                   [](const Impulse& a, const Impulse& b) { return a.id < b.id; });
  for (const Impulse& impulse : impulses_) {
    const EntityRecord* r = needs_.entities.find(impulse.body);
    if (r == nullptr || r->body == no_body) continue;
    needs_.physics.apply_impulse(r->body, impulse.impulse, impulse.point);
  }
  impulses_.clear();
}

void BodyForces::apply_fields() {
  for (const EntityRecord* r : needs_.lively.list()) {
    if (r->body == no_body || !r->moves_by_physics() || r->driven) continue;
    if (!needs_.physics.awake(r->body)) continue;
    slow_spin(*r);
    const Vec3 pull = needs_.fields.pull_at(needs_.physics.state(r->body).pose.position);
    if (pull != Vec3{}) needs_.physics.accelerate(r->body, pull);
  }
}

void BodyForces::slow_spin(const EntityRecord& record) {
  const double damping = record.type->spin_damping_per_s;
  if (damping == 0) return;
  const auto& state = needs_.physics.state(record.body);
  needs_.physics.set_velocity(record.body, state.velocity,
                              state.angular_velocity * (1 - damping * seconds_per_tick));
}

void BodyForces::apply_drives() {
  std::sort(driven_.begin(), driven_.end(), by_entity_id);
  for (EntityRecord* r : std::exchange(driven_, {})) {
    r->driven = false;
    if (r->body == no_body || !r->moves_by_physics()) continue;
    needs_.physics.set_velocity(r->body, r->drive_velocity, r->drive_angular);
  }
}

}  // namespace perigee::world
