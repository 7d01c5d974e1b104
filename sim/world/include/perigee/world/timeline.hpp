/// Timeline objects: things whose pose is a function of tick and announced changes alone, so every
/// timeline (prediction, view, server, replay) evaluates them at its own tick and none rewinds
/// them.
#pragma once

#include "perigee/netcode/bytes.hpp"
#include "perigee/netcode/player_input.hpp"
#include "perigee/netcode/ring.hpp"
#include "perigee/netcode/vec.hpp"

namespace perigee::world {

/// From `effect` on the object strives for `goal`: 0 where it rests (a door: shut), else its other
/// end.
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

/// How a timeline object goes from where it rests (share 0 of its way) to its other end (share 1):
/// along `slide` while it turns about an axis, both at constant speed. One form for sliding doors,
/// trap doors, lifts and wheels.
struct Travel {
  Vec3 slide;          ///< metres, axes at rest
  Vec3 axis{0, 1, 0};  ///< of the turn, of unit length, axes at rest
  Vec3 hinge;          ///< the axis goes through here; own frame at rest
  double turn_rad = 0;
  std::int32_t ticks = 30;  ///< from end to end
  bool endless = false;     ///< a wheel: begins anew every `ticks`, whatever is announced
};
/// No client draws or plays again a tick that is longer ago than this: 2 s. A log says exactly
/// where its object was in these ticks.
inline constexpr std::int32_t timeline_look_back_ticks = 120;

/// The announced changes of one object in the order they take effect. A promise is never
/// rescinded: there is no way to take one back.
///
/// A full log makes room by joining its two oldest changes into one that leads to the same places
/// from the second one's effect on. The owner of the object asks has_room() before it announces:
/// then no pose changes that may still be looked at.
class TimelineLog {
 public:
  static constexpr std::size_t changes_max = 16;

  TimelineLog() = default;
  /// What a late-comer starts from, before it adds the changes of another log.
  explicit TimelineLog(std::uint8_t base_goal, std::uint16_t version = 0)
      : version_(version), base_goal_(base_goal) {}
  /// The goal that had been reached before the first change kept.
  std::uint8_t base_goal() const { return base_goal_; }

  enum class Added : std::uint8_t {
    Stored,
    Duplicate,
    TooOld,
    Full,  ///< has_room() says so: it may be announced later
  };
  /// Files a change by its effect; one of a version that the log has, or has forgotten, is none.
  Added add(const TimelineChange& change, const Travel& travel);
  /// One more change at `now` leaves the last timeline_look_back_ticks as they were.
  bool has_room(Tick now) const;
  /// Forgets the times of the changes once all of them had been finished by `tick`: an object at
  /// rest stays there, however far the tick counter goes.
  void forget_finished(const Travel& travel, Tick tick);
  /// The same changes, so many ticks later.
  TimelineLog later_by(std::int32_t ticks) const;
  std::size_t size() const { return changes_.size(); }
  const TimelineChange& operator[](std::size_t i) const { return changes_[i]; }
  /// What the object strives for at `tick`; the base goal before any change.
  std::uint8_t goal_at(Tick tick) const;
  /// The newest announced goal, whether in effect yet or not.
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

/// When a trigger takes effect: late enough for everybody to hear of it first.
constexpr Tick effect_tick(Tick now, Tick target, std::int32_t announce_ticks) {
  return later_of(now, target) + announce_ticks;
}
/// 150 ms: in time for pings up to about 100 ms.
inline constexpr std::int32_t announce_ticks_default = 9;

/// 0 at rest .. 1 at the other end; continuous, also when a change reverses it half-way.
double travelled(const Travel& travel, const TimelineLog& log, Tick tick);
/// Where it is at `tick` it rests, and will until another change is announced.
bool settled(const Travel& travel, const TimelineLog& log, Tick tick);
/// The one evaluator: where an object that rests at `rest` is at `tick`, in its parent's frame.
Pose timeline_pose(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick);
/// With its motion in that frame, in closed form. As with bodies, velocities are those that led
/// there, and accelerations are over that tick.
Motion timeline_motion(const Travel& travel, const Pose& rest, const TimelineLog& log, Tick tick);

}  // namespace perigee::world
