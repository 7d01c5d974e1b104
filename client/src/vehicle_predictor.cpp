#include "perigee/client/vehicle_predictor.hpp"

#include <algorithm>

#include "perigee/world/frame.hpp"
#include "vehicle_frame.hpp"

namespace perigee::client {
namespace {

constexpr std::uint32_t bodies_hint = 64;

Motion motion_of(const world::BodyState& state) {
  Motion out;
  out.pose = state.pose;
  out.velocity = state.velocity;
  out.angular_velocity = state.angular_velocity;
  return out;
}

}  // namespace

VehiclePredictor::~VehiclePredictor() = default;

bool VehiclePredictor::begin(Handle body, Tick tick) {
  let_go();
  const ClientEntity* entity = entities_.find(body);
  if (entity == nullptr) return false;
  const world::EntityType& type = entities_.type_of(*entity);
  const auto motion = entities_.motion_at(body, tick);
  if (type.kind != world::EntityKind::Body || type.vehicle.thrust_m_s2 <= 0 || !motion)
    return false;
  body_ = body;
  type_ = &type;
  since_ = next_ = tick;
  frame_ = frame_around(*motion, tick);
  frame_now_ = frame_motion(tick);
  now_ = before_ = in_frame(*motion, frame_now_);
  state_ = {};
  physics_ = world::make_bullet_world(bodies_hint);
  enter();
  return true;
}

// Adds the body anew in its present state, without the contacts of a discarded future.
void VehiclePredictor::enter() {
  if (own_ != world::no_body) physics_->remove_body(own_);
  own_ = physics_->add_body({.owner = body_,
                             .shape = type_->shape,
                             .mass_kg = type_->mass_kg,
                             .friction = type_->friction,
                             .pose = now_.pose,
                             .velocity = now_.velocity,
                             .angular_velocity = now_.angular_velocity});
}

void VehiclePredictor::let_go() {
  now_ = motion();
  body_ = frame_ = no_entity;
  placed_.clear();
  physics_.reset();
  own_ = world::no_body;
  inputs_.clear();
  first_.clear();
  chained_ = crowded_ = false;
  touching_ = 0;
}

void VehiclePredictor::drive(Handle body, Tick tick, const PlayerInput& input,
                             const ViewPoint& view) {
  if ((body != body_ || tick != next_) && !begin(body, tick)) return;
  leave_forgotten_frame(tick);
  find_surroundings(tick);
  inputs_.claim(tick) = input;
  step(tick, input);
  next_ = tick + 1;
  first_.claim(next_) = motion().pose;
  count_contacts(tick, view);
}

// As on the worker: the drive, animated bodies at the tick's end, one step.
void VehiclePredictor::step(Tick tick, const PlayerInput& input) {
  const Motion world = in_world(now_, frame_motion(tick));
  const Motion frame_end = frame_motion(tick + 1);
  const world::VehicleDrive drive = world::steer(type_->vehicle, input, world, state_);
  const bool framed = frame_ != no_entity;
  const world::VehicleDrive local =
      framed ? drive_in_frame(drive, world, now_.pose, frame_end) : drive;
  before_ = now_;
  physics_->set_velocity(own_, local.velocity, local.angular_velocity);
  place_surroundings(tick + 1, frame_end);
  physics_->step(seconds_per_tick);
  const world::BodyState stepped = physics_->state(own_);
  now_ = framed ? after_step(drive, local, stepped, frame_end) : motion_of(stepped);
  frame_now_ = frame_end;
}

double VehiclePredictor::on_final(const OwnSection& own) {
  const auto newest = entities_.parent_motions().tick_of(body_);
  if (!newest || entities_.find(body_) == nullptr || own.vehicle == VehiclePrediction::None)
    return 0;
  const bool chained = own.vehicle == VehiclePrediction::Chained;
  times_chained_ += chained && !chained_;
  chained_ = chained;
  const Tick tick = *newest;
  if (before(next_, tick)) return 0;  // after a hitch; on a LAN the server is often just as far
  ++compared_;
  const bool since = before(tick, since_);
  const Tick from = since ? since_ : tick;
  const Motion final_motion = *entities_.motion_at(body_, from);
  const bool same_frame = !choose_frame(final_motion, from);
  const Motion old = now_;
  const Motion old_before = before_;
  frame_now_ = frame_motion(from);
  now_ = in_frame(final_motion, frame_now_);
  state_ = since ? world::VehicleState{} : world::VehicleState{own.vehicle_thrust};
  before_ = now_;
  enter();
  if (!same_frame) find_surroundings(from);
  for (Tick t = from; before(t, next_); ++t) {
    const PlayerInput* input = inputs_.find(t);
    step(t, input != nullptr ? *input : PlayerInput{});
  }
  if (from == next_) before_ = old_before;
  if (!predicted()) return 0;
  if (same_frame) display_.blend(body_, old.pose, now_.pose);
  return distance(old.pose.position, now_.pose.position);
}

SteeredBody VehiclePredictor::at_part(double part) const {
  part = std::clamp(part, 0.0, 1.0);
  return {.body = body_,
          .predicted = predicted(),
          .frame = frame_,
          .pose = {lerp(before_.pose.position, now_.pose.position, part),
                   slerp(before_.pose.rotation, now_.pose.rotation, part)},
          .next = next_,
          .motion = motion(),
          .frame_pose = frame_now_.pose};
}

}  // namespace perigee::client
