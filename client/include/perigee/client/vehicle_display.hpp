/// Display of a steered body: blends corrections, changes of its frame, and switches between
/// prediction and server. The display continues for a while after the player has left the controls.
#pragma once

#include <optional>

#include "perigee/base/display_smoother.hpp"
#include "perigee/client/entity_store.hpp"

namespace perigee::client {

/// A steered body as predicted.
struct SteeredBody {
  Handle body = no_entity;   ///< no_entity: none is steered
  bool predicted = false;    ///< false: it is rendered at the server's state
  Handle frame = no_entity;  ///< of the prediction; no_entity: the world
  Pose pose;                 ///< to render, in the frame
  Tick next;                 ///< the next tick to predict
  Motion motion;             ///< at the start of it, in the world
  Pose frame_pose;           ///< of the frame at that time, in the world

  bool steered() const { return body != no_entity; }
};

class VehicleDisplay {
 public:
  VehicleDisplay(const EntityStore& entities, Smoothing smoothing)
      : entities_(entities), smoother_(smoothing) {}

  void choose(Smoothing smoothing) { smoother_.choose(smoothing); }
  /// The prediction of `body` jumped, in its frame.
  void blend(Handle body, const Pose& from, const Pose& to);
  /// Once per frame. `at`: the view for remote entities.
  void advance(double dt_s, const SteeredBody& now, const ViewPoint& at);

  struct Shown {
    Handle body = no_entity;
    Pose pose;  ///< in the world
  };
  /// None: the body is rendered like any other.
  std::optional<Shown> shown(const SteeredBody& now, const ViewPoint& at) const;
  /// The body with a display controlled here.
  Handle shown_body() const { return body_; }
  /// A correction of that body is being blended out.
  bool smoothing() const { return smoother_.active(); }
  Vec3 offset(const ViewPoint& at) const;

 private:
  Pose drawn_frame(const SteeredBody& now, Handle frame, const ViewPoint& at) const;
  std::optional<Pose> seen(const SteeredBody& now, Handle frame, const ViewPoint& at) const;
  void enter_frame(double dt_s, const SteeredBody& now, const ViewPoint& at);

  const EntityStore& entities_;
  Handle body_ = no_entity;
  bool showed_prediction_ = false;
  Handle frame_ = no_entity;  ///< of the state below
  Pose frame_at_;             ///< its pose when last rendered
  Pose shown_;
  DisplaySmoother smoother_;
  Quat turn_;  ///< remaining rotation correction
};

}  // namespace perigee::client
