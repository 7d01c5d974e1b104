/// Scheduled objects: their pose is a function of the tick and of announced changes alone, so
/// prediction, view, server and replay each evaluate that function at their own tick. No rewind is
/// needed.
#pragma once

#include "perigee/base/bytes.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/vec.hpp"

namespace perigee::world {

/// From `effect` on the object moves towards `goal`: 0 is its rest position (a door: shut), any
/// other value its other end.
struct TimelineChange {
  Handle object = no_entity;
  Tick effect;
  std::uint8_t goal = 0;
  std::uint16_t version = 0;
  friend bool operator==(const TimelineChange&, const TimelineChange&) = default;
};
template <class Cursor, class Change>
  requires std::same_as<std::remove_const_t<Change>, TimelineChange>
bool walk(Cursor& cursor, Change& change) {
  return cursor.number(change.object) && cursor.tick(change.effect) && cursor.number(change.goal) &&
         cursor.number(change.version);
}

/// The motion of a scheduled object from its rest position (share 0) to its other end (share 1). It
/// slides along `slide` and turns about an axis, both at constant speed. One form for sliding
/// doors, trap doors, lifts and wheels.
struct Travel {
  Vec3 slide;          ///< metres, axes at rest
  Vec3 axis{0, 1, 0};  ///< of the turn, of unit length, axes at rest
  Vec3 hinge;          ///< point on the axis; own frame at rest
  double turn_rad = 0;
  std::int32_t ticks = 30;  ///< from end to end
  bool endless = false;     ///< a wheel: restarts every `ticks`, regardless of changes
};
/// No client renders or replays a tick older than this: 2 s. Within these ticks a log gives exact
/// poses.
inline constexpr std::int32_t timeline_look_back_ticks = 120;

/// The announced changes of one object in the order they take effect. An announcement is never
/// withdrawn.
///
/// A full log makes room by merging its two oldest changes into one. The merged change gives the
/// same poses from the effect of the second change on. The owner of the object asks has_room()
/// before it announces a change. This keeps all poses unchanged that may still be evaluated.
class TimelineLog {
 public:
  static constexpr std::size_t changes_max = 16;

  TimelineLog() = default;
  /// Initial state of a copy, before the changes of another log are added.
  explicit TimelineLog(std::uint8_t base_goal, std::uint16_t version = 0)
      : version_(version), base_goal_(base_goal) {}
  /// The goal that was reached before the first stored change.
  std::uint8_t base_goal() const { return base_goal_; }

  enum class Added : std::uint8_t {
    Stored,
    Duplicate,
    TooOld,
    Full,  ///< as has_room() reports: try again later
  };
  /// Inserts a change by its effect. A change with a version that the log contains, or has
  /// forgotten, is not added.
  Added add(const TimelineChange& change, const Travel& travel);
  /// Whether one more change at `now` keeps the last timeline_look_back_ticks unchanged.
  bool has_room(Tick now) const;
  /// Forgets the times of the changes once all of them were finished by `tick`: an object at rest
  /// stays at rest, however far the tick counter advances.
  void forget_finished(const Travel& travel, Tick tick);
  /// The same changes, shifted by that many ticks.
  TimelineLog later_by(std::int32_t ticks) const;
  std::size_t size() const { return changes_.size(); }
  const TimelineChange& operator[](std::size_t i) const { return changes_[i]; }
  /// The goal at `tick`; the base goal before any change.
  std::uint8_t goal_at(Tick tick) const;
  /// The newest announced goal, even if it is not in effect yet.
  std::uint8_t last_goal() const;
  std::uint16_t last_version() const { return version_; }

 private:
  void join_oldest(const Travel& travel);
  void forget(std::uint16_t version);

  FixedVector<TimelineChange, changes_max> changes_;
  std::uint16_t version_ = 0;
  std::uint16_t forgotten_version_ = 0;
  bool forgot_any_ = false;
  std::uint8_t base_goal_ = 0;
};

/// The tick at which a trigger takes effect: late enough for all clients to receive the
/// announcement first.
constexpr Tick effect_tick(Tick now, Tick target, std::int32_t announce_ticks) {
  return later_of(now, target) + announce_ticks;
}
/// 150 ms: in time for pings up to about 100 ms.
inline constexpr std::int32_t announce_ticks_default = 9;

/// 0 at rest .. 1 at the other end. Continuous, also when a change reverses the motion half-way.
double travelled(const Travel& travel, const TimelineLog& log, Tick tick);
/// Whether the object is at rest at `tick`, until another change is announced.
bool settled(const Travel& travel, const TimelineLog& log, Tick tick);
/// The one evaluator: the pose at `tick`, in the parent's frame, of an object that rests at `rest`.
Pose timeline_pose(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick);
/// The pose with its motion in that frame, in closed form. As with bodies, velocities are those
/// that led to the pose, and accelerations are those over that tick.
Motion timeline_motion(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick);

}  // namespace perigee::world
