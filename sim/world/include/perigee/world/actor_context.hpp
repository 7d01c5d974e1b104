/// The interface of a game's step: the tick, its actor, nearby entities, and the effects that it
/// requests. The step runs on the worker, in rollback, in prediction and in replay. It may run many
/// times for one tick. GameModule::step has this interface before the actor's motion, and
/// GameModule::after_motion after it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "perigee/base/hash.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {

/// The nearest entity on a ray.
struct NearHit {
  Handle entity = no_entity;
  double away_m = 0;
};

/// The nearest solid cell on a ray, in the naming of edits, and the free cell before it, if that
/// belongs to the same patch.
struct DigHit {
  Handle patch = no_entity;
  std::uint32_t cell = 0;
  std::optional<std::uint32_t> before;
  double away_m = 0;
};

class ActorContext {
 public:
  explicit ActorContext(StepRecord& record) : record_(record) {}

  /// Everything that goes into the step: a copy of it steps again in the same way.
  const StepRecord& record() const { return record_; }
  Tick tick() const { return record_.tick; }
  std::uint64_t identity() const { return record_.actor; }  ///< of the actor
  /// Frame of all positions and directions here.
  Handle parent() const { return record_.parent; }
  /// State at the start of the tick; in after_motion, at its end.
  const ActorState& motion() const { return record_.after; }
  /// The entities that the actor touched in its motion, sorted by handle. Empty before the motion.
  std::span<const Contact> contacts() const {
    return {record_.report.contacts.begin(), record_.report.contacts.size()};
  }
  /// The surface of the material under the actor's feet: 0 in the air, on anything but triangles
  /// with materials, and before the motion.
  std::uint16_t ground_surface() const { return record_.report.ground_surface; }
  /// The triggers that the actor was in, entered or left. Empty before the motion.
  std::span<const TriggerContact> triggers() const {
    return {record_.report.triggers.begin(), record_.report.triggers.size()};
  }
  /// A moving mesh, such as a lift, has passed the actor's centre, because something else held the
  /// actor: it is behind the mesh now. False before the motion.
  bool crushed() const { return record_.report.crushed; }
  /// Of an entity that contacts(), triggers() or ray() names. None: it was not near.
  std::optional<TypeId> type_of(Handle entity) const;
  /// Its velocity over the tick, in m/s relative to the parent. A scheduled object that rests has
  /// none.
  std::optional<Vec3> velocity_of(Handle entity) const;
  const PlayerInput& input() const { return record_.input; }
  /// The game's fields of the input, as the struct that GameModule::input_layout() describes.
  template <class Fields>
  Fields own_input() const {
    return record_.input.own.as<Fields>();
  }
  /// Whether one of these buttons is down, or went down and up again within the tick.
  bool wants(std::uint16_t button) const {
    return ((record_.input.held | pressed_mask(record_.input)) & button) != 0;
  }
  /// Look direction, of length 1.
  Vec3 look() const;
  /// Equal on every machine and in every re-simulation: seeded by actor and tick alone.
  Random random() const { return Random(mix64(record_.actor, std::uint64_t{record_.tick.count})); }
  /// The nearest hit among the entities that the actor could touch in this tick (about 1.5 m around
  /// it).
  std::optional<NearHit> ray(const Vec3& from, const Vec3& direction, double range_m) const;

  /// The nearest solid cell of any patch, up to about three metres away. Other entities do not
  /// block the ray.
  std::optional<DigHit> dig_ray(const Vec3& from, const Vec3& direction, double range_m) const;
  /// Whether the cell, if solid, would overlap this actor or another one near enough to be known.
  bool occupied(Handle patch, std::uint32_t cell, const ActorParams& own) const;

  /// Voids the actor's input in this tick: it only falls. No effect in after_motion.
  void mute() { record_.wishes.muted = true; }
  /// Limits the speeds that the actor steers towards in this tick, to a share of those of its type
  /// from 0 to 1. The smallest share of a tick counts. A faster walker brakes; an actor in the air
  /// keeps its speed. No effect in after_motion.
  bool limit_speed(double share);
  /// Changes the actor's velocity, in m/s along the parent's axes, at the end of the tick: a jump
  /// pad, a blow. Impulses of a tick add up. One with an upward part lifts the actor off the
  /// ground. Ignored at vehicle controls. False: not finite, or the sum is beyond speed_max_m_s.
  bool impulse(const Vec3& change_m_s);
  /// Requests a visible or audible effect. The own client plays it when first predicted, and later
  /// confirms it, or cancels it if the final tick does not have it. Others within
  /// GameModule::cue_reach_m notice it once, when they see the actor in that tick. An effect on the
  /// same subject happens once a tick for them. Beyond four a tick: returns false and plays
  /// nothing.
  bool cue(std::uint8_t effect, Handle subject = no_entity);
  /// Requests an effect that cannot be undone. It is pending until its tick is final, then judged
  /// and committed once. `effect` is its cue (0: none), which gets the verdict. Returns false and
  /// proposes nothing if there are already four in the tick, if a number is not finite, or if the
  /// speed is below 0 or above speed_max_m_s.
  bool propose(Proposal proposal, std::uint8_t effect);
  /// Applies an impulse in N s at a point of a loose body, like a contact. It is applied once, when
  /// the worker first runs the tick. False beyond two a tick and beyond impulse_max_n_s.
  bool push(Handle body, const Vec3& impulse, const Vec3& at);

 private:
  const VoxelCutout& cutout_of(const Neighbour& neighbour) const {
    return record_.cutouts[neighbour.cutout - 1U];
  }

  void look_at(const Bounds& place) const;
  bool aims(const Vec3& from, const Vec3& direction, double range_m) const;

  StepRecord& record_;
};

}  // namespace perigee::world
