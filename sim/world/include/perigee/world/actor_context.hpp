/// All that a game's step can reach: the tick, its actor, what is near, and what it wants to
/// happen. The step runs on worker, rollback, prediction and replay; it may run many times for one
/// tick.
#pragma once

#include <cstdint>
#include <optional>

#include "perigee/netcode/hash.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::world {

/// The nearest thing on a ray.
struct NearHit {
  Handle entity = no_entity;
  double away_m = 0;
};

/// The nearest solid cell on a ray, as edits name it, and the free one before it, if that is of the
/// same patch.
struct DigHit {
  Handle patch = no_entity;
  std::uint32_t cell = 0;
  std::optional<std::uint32_t> before;
  double away_m = 0;
};

class ActorContext {
 public:
  explicit ActorContext(StepRecord& record) : record_(record) {}

  Tick tick() const { return record_.tick; }
  std::uint64_t identity() const { return record_.actor; }  ///< the actor's
  /// Frame of every position and direction here.
  Handle parent() const { return record_.parent; }
  /// At the start of the tick.
  const ActorState& motion() const { return record_.after; }
  const PlayerInput& input() const { return record_.input; }
  /// Is down, or went down and up again within the tick.
  bool wants(Button button) const {
    return ((record_.input.held | pressed_mask(record_.input)) & button) != 0;
  }
  /// Of length 1.
  Vec3 look() const;
  /// The same on every machine and in every re-simulation: follows from actor and tick alone.
  Random random() const { return Random(mix64(record_.actor, std::uint64_t{record_.tick.count})); }
  /// The nearest of what the actor could touch in this tick (about a metre and a half around it).
  std::optional<NearHit> ray(const Vec3& from, const Vec3& direction, double range_m) const;

  /// The nearest solid cell of any patch, up to about three metres away. Nothing else is in its
  /// way.
  std::optional<DigHit> dig_ray(const Vec3& from, const Vec3& direction, double range_m) const;
  /// Would the cell, were it solid, stand where an actor is that is near enough to be known?
  bool occupied(Handle patch, std::uint32_t cell, const ActorParams& own) const;

  /// The actor does nothing in this tick but fall.
  void mute() { record_.wishes.muted = true; }
  /// Something to be seen and heard: played when it is predicted first, then confirmed, or
  /// cancelled if it does not happen after all. False, and not played, beyond four a tick.
  bool cue(std::uint8_t effect, Handle subject = no_entity);
  /// Something that cannot be undone: pending until its tick is beyond dispute, then judged and
  /// committed once. `effect` is its cue (0: none), which gets the verdict. False, and nothing is
  /// proposed, beyond four a tick and if a number of it is not finite or its speed is below 0 or
  /// beyond speed_max_m_s.
  bool propose(Proposal proposal, std::uint8_t effect);
  /// N s at a point, on a loose body, once: where the worker first ran the tick, as a contact does.
  /// False beyond two a tick and impulse_max_n_s.
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
