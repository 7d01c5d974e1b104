// Choice of the moving frame in which a steered body is predicted, and conversion of a tick into
// it.
#include "vehicle_frame.hpp"

#include "perigee/client/vehicle_predictor.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

constexpr double mass_ratio_min = 10;  // the body itself moves lighter entities
constexpr double near_m = 2;
constexpr double away_m = 5;  // leave later than enter: no flutter between two frames

bool hang_together(const ClientEntity& a, const ClientEntity& b) {
  const auto sent_in = [](const ClientEntity& one, Handle other) {
    return !one.tracks.empty() && one.tracks.frame() == other;
  };
  return sent_in(a, b.handle) || sent_in(b, a.handle);
}

}  // namespace

world::VehicleDrive drive_in_frame(const world::VehicleDrive& drive, const Motion& body,
                                   const Pose& local, const Motion& end) {
  const Vec3 there = body.pose.position + drive.velocity * seconds_per_tick;
  const Vec3 moved = inverse_transform(end.pose, there) - local.position;
  const Vec3 turn = drive.angular_velocity - end.angular_velocity;
  return {moved / seconds_per_tick, rotate_back(end.pose.rotation, turn)};
}

Motion after_step(const world::VehicleDrive& drive, const world::VehicleDrive& local,
                  const world::BodyState& stepped, const Motion& end) {
  const Quat& axes = end.pose.rotation;
  Motion out;
  out.pose = end.pose * stepped.pose;
  out.velocity = drive.velocity + rotate(axes, stepped.velocity - local.velocity);
  out.angular_velocity =
      drive.angular_velocity + rotate(axes, stepped.angular_velocity - local.angular_velocity);
  return world::seen_from(end, out);
}

// The heaviest moving body around it; kept while it is near.
Handle VehiclePredictor::frame_around(const Motion& own, Tick tick) const {
  const ClientEntity* body = entities_.find(body_);
  if (body == nullptr || chained_) return no_entity;
  const auto holds = [&](const ClientEntity& entity, const Motion& at, double by_m) {
    const world::EntityType& type = entities_.type_of(entity);
    if (type.kind != world::EntityKind::Body || type.shape == nullptr) return false;
    const Vec3 local = inverse_transform(at.pose, own.pose.position);
    return world::inflated(type.shape->bounds(), by_m).contains(local);
  };
  if (const ClientEntity* frame = entities_.find(frame_)) {
    const auto at = entities_.motion_at(frame_, tick);
    if (at && holds(*frame, *at, away_m)) return frame_;
  }
  Handle found = no_entity;
  double mass_kg = type_->mass_kg * mass_ratio_min;
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (type.mass_kg < mass_kg) continue;
    if (found != no_entity && type.mass_kg == mass_kg) continue;
    const auto at = entities_.motion_at(entity->handle, tick);
    if (!at || at->rests() || !holds(*entity, *at, near_m)) continue;
    if (entity->handle == body_ || hang_together(*entity, *body)) continue;
    found = entity->handle;
    mass_kg = type.mass_kg;
  }
  return found;
}

Motion VehiclePredictor::frame_motion(Tick tick) const {
  const auto motion = entities_.motion_at(frame_, tick);
  PERIGEE_ASSERT(motion.has_value(), "the parent's motion at the tick must still be known");
  return *motion;
}

Motion VehiclePredictor::in_world(const Motion& local, const Motion& frame) const {
  return frame_ == no_entity ? local : world::moved_with(frame, local);
}

Motion VehiclePredictor::in_frame(const Motion& world, const Motion& frame) const {
  return frame_ == no_entity ? world : world::seen_from(frame, world);
}

// Removes the surroundings: they must be placed anew, in other coordinates.
void VehiclePredictor::enter_frame(Handle frame) {
  for (const Placed& placed : placed_) physics_->remove_body(placed.body);
  placed_.clear();
  frame_ = frame;
}

// True if the frame has changed; the present is then expressed in the new one.
bool VehiclePredictor::choose_frame(const Motion& own, Tick tick) {
  const Handle chosen = frame_around(own, tick);
  if (chosen == frame_) return false;
  const Motion present = in_world(now_, entities_.motion_at(frame_, next_).value_or(frame_now_));
  enter_frame(chosen);
  now_ = before_ = in_frame(present, frame_motion(next_));
  return true;
}

// If the frame is no longer known, continues from its last place.
void VehiclePredictor::leave_forgotten_frame(Tick tick) {
  if (entities_.motion_at(frame_, tick)) return;
  now_ = before_ = motion();
  enter_frame(no_entity);
  enter();
}

}  // namespace perigee::client
