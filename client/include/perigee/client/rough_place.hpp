/// Bounds for an entity's place that are small enough to be read for every entity in every tick.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/streams.hpp"
#include "perigee/base/track.hpp"
#include "perigee/base/vec.hpp"

namespace perigee::client {

struct RoughPlace {
  enum class Motion : std::uint8_t {
    Unknown,  ///< no bounds are known
    None,     ///< at `position`, for ever
    Track     ///< on a track that begins at `tick`
  };
  Motion motion = Motion::Unknown;
  bool body = false;    ///< its full motion may be known
  bool actor = false;   ///< predicted by its newest track alone
  StreamId stream = 0;  ///< of the worker that replicates it
  /// Of `position`. A track in the frame of an entity that never moves has the world's, so that few
  /// cases remain.
  Handle frame = no_entity;
  Tick tick;                    ///< of `position`
  float radius_m = 0;           ///< around the entity's origin
  float speed_m_s = 0;          ///< at `tick`, rounded up
  float acceleration_m_s2 = 0;  ///< rounded up
  Vec3 position;

  static RoughPlace resting(Handle frame, const Vec3& position, double radius_m);
  static RoughPlace on_track(Handle frame, const Track& track, double radius_m, StreamId stream);
  /// Limit of the distance from `position` after that time, plus `seconds_more` times the limit of
  /// the speed then.
  double moved_m(double after_s, double seconds_more) const;
};

}  // namespace perigee::client
