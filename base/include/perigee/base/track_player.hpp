/// The tracks of one remote entity, and the pose to render: the entity's track at that time. A new
/// track is blended in over a few ticks, so that nothing jumps.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/ring.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/track.hpp"

namespace perigee {

/// A pose at one tick, in a frame.
struct FramedMotion {
  Tick tick;
  Handle frame = no_entity;  ///< parent that the pose is relative to; no_entity = world
  Pose pose;
  Vec3 velocity;  ///< in the frame, m/s
};

enum class TrackOffer : std::uint8_t { Stored, Duplicate, TooOld, last = TooOld };

class TrackPlayer {
 public:
  /// A track is told to be valid for at most this long beyond the newest tick that was heard of.
  static constexpr double ahead_ticks_max = 15;

  struct NewTrack {
    Track track;  ///< positions in `frame`
    Handle frame = no_entity;
    Tick sent;               ///< the newest one counts: its track may have begun earlier
    double bound_m = 0;      ///< the sender's bound for the deviation from the former track
    double blend_ticks = 4;  ///< blends end at the track's tick, and begin this much earlier
  };
  /// `seen`: the time that was rendered last, after the track's tick; a blend does not begin
  /// before it. A track that was sent before the newest one is dropped.
  TrackOffer insert(const NewTrack& added, double seen);
  /// The entity is still on its newest track, with another heading from `tick` on. `seen`: as for
  /// insert(), but after `tick`. Ignored without a track, or if it was sent before the newest one.
  void turn(Tick tick, Tick sent, const Quat& rotation, double seen);

  struct Sample {
    Handle frame = no_entity;
    Pose pose;
    Vec3 velocity;
    bool extrapolated = false;  ///< beyond the newest tick that was heard of
    bool held = false;          ///< extrapolated to the limit and stopped there
  };
  /// The pose to render at `ticks` after `origin`. `heard`: no entity of the sender has left its
  /// track up to this time after `origin`, except for lost packets.
  Sample drawn(Tick origin, double ticks, double heard) const;
  /// By the newest track alone.
  FramedMotion newest(Tick at) const;
  /// Position and velocity of newest(), in frame().
  TrackPlace newest_place(Tick at) const;

  /// The newest track, e.g. for another player.
  NewTrack last() const;
  /// With positions in frame().
  const Track& newest_track() const { return parts_.back().track; }
  bool empty() const { return parts_.empty(); }
  Handle frame() const { return parts_.back().frame; }
  Tick newest_tick() const { return parts_.back().track.tick; }
  void clear() { parts_.clear(); }

 private:
  static constexpr std::size_t capacity = 8;
  /// A track, from the time on at which it is blended in.
  struct Part {
    Track track;
    Handle frame = no_entity;
    double bound_m = 0;
    double from = 0, to = 0;  ///< of the blend, in ticks after the track's tick
    TrackPoint start;         ///< where the blend begins
  };
  static TrackPoint point_of(const Part& part, double ticks);
  TrackPoint point_before(Tick tick, double ticks) const;
  void blend(Part& part, const NewTrack& added, double seen) const;

  NewestOf<Part, capacity> parts_;  ///< in the order in which they were sent
  Tick sent_;                       ///< of the newest one, or of its heading
};

}  // namespace perigee
