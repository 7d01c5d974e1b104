/// Moving frames: conversion of a state between parents, and extrapolation of a parent's motion.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/base/actor_state.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// A larger acceleration than a type's thrusters give is a collision: used in its own tick, never
/// extrapolated.
inline constexpr double thrust_limit_default_m_s2 = 25;
/// Angular acceleration is extrapolated this long. (actor-step: 12 % better than without)
inline constexpr std::int32_t angular_hold_ticks_max = 15;

/// The actor's motion in world axes; acceleration is left zero.
Motion world_motion_of(const ActorState& state, const Motion& parent);

/// The same actor relative to another parent. Both motions are at the tick of the state: v = R^T
/// (v_world - v_p - omega x r). The ground entity is kept.
ActorState re_express(const ActorState& state, const Motion& from, const Motion& to);
/// A look direction's yaw (1/65536 turn), converted to another parent.
std::uint16_t re_express_yaw(std::uint16_t yaw, const Pose& from, const Pose& to);

/// The world motion of an entity with the motion `local` in the parent's frame.
Motion moved_with(const Motion& parent, const Motion& local);

/// The inverse: the motion in the parent's frame of an entity with the world motion `world`.
/// Accelerations are left zero.
Motion seen_from(const Motion& parent, const Motion& world);

/// Five seconds: more than the age of a parent's newest state on the slowest link.
inline constexpr double extrapolate_ticks_max = 300;
/// The motion some ticks after (or before) `at`: both accelerations are constant in the body's own
/// axes, with the same semi-implicit steps as in the physics. Beyond `extrapolate_ticks_max` the
/// body moves straight on.
Motion extrapolate(const Motion& at, double ticks,
                   double thrust_limit_m_s2 = thrust_limit_default_m_s2);

/// extrapolate() by whole ticks for repeated calls: each step is computed once.
class MotionAhead {
 public:
  void start(const Motion& at, double thrust_limit_m_s2);
  /// Bit for bit extrapolate(at, ticks, thrust_limit_m_s2).
  Motion after(std::int32_t ticks) const;

 private:
  static constexpr auto whole_ticks_max = static_cast<std::int32_t>(extrapolate_ticks_max);

  Motion at_;
  double thrust_limit_m_s2_ = thrust_limit_default_m_s2;
  mutable std::vector<Motion> ahead_;  ///< by tick, up to the largest one requested
};

/// The same for calls tick after tick and for thousands of entities: of the later ticks only the
/// newest is kept. Earlier ticks are needed by clients that lag behind for a while.
class MotionOnward {
 public:
  void start(const Motion& at, double thrust_limit_m_s2);
  const Motion& origin() const { return at_; }
  /// Bit for bit extrapolate(origin(), ticks, thrust_limit_m_s2).
  const Motion& after(std::int32_t ticks);

 private:
  static constexpr std::int32_t back_ticks_max = 64;

  Motion at_, newest_;
  std::vector<Motion> back_;  ///< 1, 2, .. ticks earlier, up to the largest one requested
  double thrust_limit_m_s2_ = thrust_limit_default_m_s2;
  std::int32_t newest_ticks_ = 0;
};

/// The frame over the tick from `start` to `end`, both motions of the parent.
FrameMotion frame_motion(const Motion& start, const Motion& end, Inertia inertia,
                         const GravityBox& gravity);

/// Adds the accelerations over the tick from `before` to `now`, as they go on at `now`: thrust and
/// the pull to the middle of a turn have turned with the body since.
Motion with_accelerations(const Motion& before, Motion now);

}  // namespace perigee::world
