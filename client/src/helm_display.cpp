// Display of a steered body: blends corrections, frames, and switches between prediction and
// server.
#include <algorithm>

#include "perigee/client/helm_prediction.hpp"
#include "perigee/netcode/smoother.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::client {
namespace {

constexpr double turn_fade_s = 0.15;

}  // namespace

Pose HelmPrediction::predicted_pose(double part) const {
  part = std::clamp(part, 0.0, 1.0);
  return {lerp(before_.pose.position, now_.pose.position, part),
          slerp(before_.pose.rotation, now_.pose.rotation, part)};
}

// The frame at the view of remote entities. A frame that is no longer known: at its last pose.
Pose HelmPrediction::drawn_frame(Handle frame, const ViewPoint& at) const {
  return entities_.drawn_world(frame, at.remote())
      .value_or(frame == shown_frame_ ? shown_frame_at_ : frame_now_.pose);
}

std::optional<Pose> HelmPrediction::seen(Handle frame, const ViewPoint& at) const {
  const auto world = entities_.drawn_world(running() ? body_ : shown_body_, at.remote());
  if (frame == no_entity || !world) return world;
  return relative(drawn_frame(frame, at), *world);
}

// Keeps the displayed pose and its motion in the new frame; the remaining correction turns with the
// axes.
void HelmPrediction::show_in_frame(double dt_s, const ViewPoint& at) {
  const auto left = entities_.motion_at(shown_frame_, next_);
  if (running() && left) {
    shown_.position += world::seen_from(*left, motion()).velocity * dt_s;
  }
  const Pose from = drawn_frame(shown_frame_, at);
  const Pose to = drawn_frame(frame_, at);
  smoother_.turn(conjugate(to.rotation) * from.rotation);
  shown_ = relative(to, from * shown_);
  shown_frame_ = frame_;
}

void HelmPrediction::advance_display(double dt_s, double part, const ViewPoint& at) {
  if (running() && shown_body_ != body_) {
    shown_body_ = body_;
    shown_frame_ = frame_;
    showed_prediction_ = false;
    smoother_.clear();
    turn_ = {};
    shown_ = seen(frame_, at).value_or(predicted_pose(part));
  }
  if (shown_body_ == no_entity) return;
  const bool predicts = predicted();
  const auto as_others = seen(frame_, at);
  if (!predicts && !as_others) {
    shown_body_ = no_entity;
    return;
  }
  const Pose base = predicts ? predicted_pose(part) : *as_others;
  const bool other_frame = shown_frame_ != frame_;
  if (other_frame) show_in_frame(dt_s, at);
  if (other_frame || predicts != showed_prediction_) {
    const Vec3 error = shown_.position - (base.position + smoother_.offset());
    smoother_.add_error(error, parent_switch_seconds(length(error)));
    turn_ = normalized(shown_.rotation * conjugate(base.rotation));
    showed_prediction_ = predicts;
  }
  smoother_.advance(dt_s, base.position);
  turn_ = slerp(turn_, Quat{}, std::min(dt_s / turn_fade_s, 1.0));
  shown_ = {base.position + smoother_.offset(), normalized(turn_ * base.rotation)};
  shown_frame_at_ = drawn_frame(shown_frame_, at);
  if (!running() && !smoother_.active()) shown_body_ = no_entity;
}

std::optional<HelmPrediction::Shown> HelmPrediction::shown(double part, const ViewPoint& at) const {
  if (shown_body_ == no_entity) return std::nullopt;
  const auto as_others = seen(shown_frame_, at);
  if (!showed_prediction_ && !as_others) return std::nullopt;
  Pose pose = shown_;
  if (shown_frame_ == frame_) {  // otherwise until it is blended
    const bool predicts = showed_prediction_ && running();
    const Pose base = predicts ? predicted_pose(part) : as_others.value_or(shown_);
    pose = {base.position + smoother_.offset(), normalized(turn_ * base.rotation)};
  }
  if (shown_frame_ == no_entity) return Shown{shown_body_, pose};
  return Shown{shown_body_, drawn_frame(shown_frame_, at) * pose};
}

Vec3 HelmPrediction::display_offset(const ViewPoint& at) const {
  const Vec3 offset = smoother_.offset();
  return shown_frame_ == no_entity ? offset
                                   : rotate(drawn_frame(shown_frame_, at).rotation, offset);
}

}  // namespace perigee::client
