/// Moving frames: how a state changes hands between parents, and where a parent will be.
#pragma once

#include <cstdint>
#include <vector>

#include "perigee/netcode/actor_state.hpp"
#include "perigee/world/actor_step.hpp"

namespace perigee::world {

/// More acceleration than a type's thrusters give is a collision: used in its own tick, never held.
inline constexpr double thrust_limit_default_m_s2 = 25;
/// Angular acceleration is believed this long. (actor-step: 12 % better than not at all)
inline constexpr std::int32_t angular_hold_ticks_max = 15;

/// The actor's motion in world axes; acceleration is left zero.
Motion world_motion_of(const ActorState& state, const Motion& parent);

/// The same actor seen from another parent; both motions are of the tick the state belongs to:
/// v = R^T (v_world - v_p - omega x r). What it stands on stays, if anything.
ActorState re_express(const ActorState& state, const Motion& from, const Motion& to);
/// A look direction's yaw (1/65536 turn) seen from another parent.
std::uint16_t re_express_yaw(std::uint16_t yaw, const Pose& from, const Pose& to);

/// The world motion of what moves by `local` in the parent's frame.
Motion moved_with(const Motion& parent, const Motion& local);

/// The other way: the motion in the parent's frame of what moves by `world`; accelerations are left
/// zero.
Motion seen_from(const Motion& parent, const Motion& world);

/// Five seconds: more than the oldest news of a parent on the slowest link.
inline constexpr double extrapolate_ticks_max = 300;
/// `at`, some ticks later (or earlier): both accelerations held in the body's own axes, the same
/// semi-implicit steps as the bodies take. What is farther away in time goes straight on from
/// there.
Motion extrapolate(const Motion& at, double ticks,
                   double thrust_limit_m_s2 = thrust_limit_default_m_s2);

/// extrapolate() by whole ticks for who asks often: each step is taken once.
class MotionAhead {
 public:
  void start(const Motion& at, double thrust_limit_m_s2);
  /// Bit for bit extrapolate(at, ticks, thrust_limit_m_s2).
  Motion after(std::int32_t ticks) const;

 private:
  static constexpr auto whole_ticks_max = static_cast<std::int32_t>(extrapolate_ticks_max);

  Motion at_;
  double thrust_limit_m_s2_ = thrust_limit_default_m_s2;
  mutable std::vector<Motion> ahead_;  ///< by tick, as far as somebody has asked
};

/// The same for who asks tick after tick and for thousands of things: of later ticks only the
/// newest is kept. Earlier ones are asked for by who is behind, for a while.
class MotionOnward {
 public:
  void start(const Motion& at, double thrust_limit_m_s2);
  const Motion& origin() const { return at_; }
  /// Bit for bit extrapolate(origin(), ticks, thrust_limit_m_s2).
  const Motion& after(std::int32_t ticks);

 private:
  static constexpr std::int32_t back_ticks_max = 64;

  Motion at_, newest_;
  std::vector<Motion> back_;  ///< 1, 2, .. ticks earlier, as far as somebody has asked
  double thrust_limit_m_s2_ = thrust_limit_default_m_s2;
  std::int32_t newest_ticks_ = 0;
};

/// The frame of the tick from `start` to `end`, both of the parent.
FrameMotion frame_motion(const Motion& start, const Motion& end, Inertia inertia,
                         const GravityBox& gravity);

/// Adds the accelerations over the tick that led from `before` to `now`.
Motion with_accelerations(const Motion& before, Motion now);

}  // namespace perigee::world
