#include "perigee/client/vehicle_display.hpp"

#include <algorithm>

#include "perigee/base/smoother.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

constexpr double turn_fade_s = 0.15;

}  // namespace

void VehicleDisplay::blend(Handle body, const Pose& from, const Pose& to) {
  if (body_ != body) return;
  smoother_.add_error(from.position - to.position);
  turn_ = normalized(turn_ * from.rotation * conjugate(to.rotation));
}

// The frame at the view of remote entities. A frame that is no longer known: at its last pose.
Pose VehicleDisplay::drawn_frame(const SteeredBody& now, Handle frame, const ViewPoint& at) const {
  return entities_.drawn_world(frame, at.remote())
      .value_or(frame == frame_ ? frame_at_ : now.frame_pose);
}

/// The body in that frame as other entities are rendered.
std::optional<Pose> VehicleDisplay::seen(const SteeredBody& now, Handle frame,
                                         const ViewPoint& at) const {
  const auto world = entities_.drawn_world(now.steered() ? now.body : body_, at.remote());
  if (frame == no_entity || !world) return world;
  return relative(drawn_frame(now, frame, at), *world);
}

// Keeps the displayed pose and its motion in the new frame; the remaining correction turns with the
// axes.
void VehicleDisplay::enter_frame(double dt_s, const SteeredBody& now, const ViewPoint& at) {
  const auto left = entities_.motion_at(frame_, now.next);
  if (now.steered() && left) {
    shown_.position += world::seen_from(*left, now.motion).velocity * dt_s;
  }
  const Pose from = drawn_frame(now, frame_, at);
  const Pose to = drawn_frame(now, now.frame, at);
  smoother_.turn(conjugate(to.rotation) * from.rotation);
  shown_ = relative(to, from * shown_);
  frame_ = now.frame;
}

void VehicleDisplay::advance(double dt_s, const SteeredBody& now, const ViewPoint& at) {
  if (now.steered() && body_ != now.body) {
    body_ = now.body;
    frame_ = now.frame;
    showed_prediction_ = false;
    smoother_.clear();
    turn_ = {};
    shown_ = seen(now, now.frame, at).value_or(now.pose);
  }
  if (body_ == no_entity) return;
  const auto as_others = seen(now, now.frame, at);
  if (!now.predicted && !as_others) {
    body_ = no_entity;
    return;
  }
  const Pose base = now.predicted ? now.pose : *as_others;
  const bool other_frame = frame_ != now.frame;
  if (other_frame) enter_frame(dt_s, now, at);
  if (other_frame || now.predicted != showed_prediction_) {
    const Vec3 error = shown_.position - (base.position + smoother_.offset());
    smoother_.add_error(error, parent_switch_seconds(length(error)));
    turn_ = normalized(shown_.rotation * conjugate(base.rotation));
    showed_prediction_ = now.predicted;
  }
  smoother_.advance(dt_s, base.position);
  turn_ = slerp(turn_, Quat{}, std::min(dt_s / turn_fade_s, 1.0));
  shown_ = {base.position + smoother_.offset(), normalized(turn_ * base.rotation)};
  frame_at_ = drawn_frame(now, frame_, at);
  if (!now.steered() && !smoother_.active()) body_ = no_entity;
}

std::optional<VehicleDisplay::Shown> VehicleDisplay::shown(const SteeredBody& now,
                                                           const ViewPoint& at) const {
  if (body_ == no_entity) return std::nullopt;
  const auto as_others = seen(now, frame_, at);
  if (!showed_prediction_ && !as_others) return std::nullopt;
  Pose pose = shown_;
  if (frame_ == now.frame) {  // otherwise until it is blended
    const bool predicts = showed_prediction_ && now.steered();
    const Pose base = predicts ? now.pose : as_others.value_or(shown_);
    pose = {base.position + smoother_.offset(), normalized(turn_ * base.rotation)};
  }
  if (frame_ == no_entity) return Shown{body_, pose};
  return Shown{body_, drawn_frame(now, frame_, at) * pose};
}

Vec3 VehicleDisplay::offset(const ViewPoint& at) const {
  const Vec3 offset = smoother_.offset();
  if (frame_ == no_entity) return offset;
  const Pose frame = entities_.drawn_world(frame_, at.remote()).value_or(frame_at_);
  return rotate(frame.rotation, offset);
}

}  // namespace perigee::client
