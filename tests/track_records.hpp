/// Records of entities that move straight, for tests.
#pragma once

#include "perigee/base/wire_world.hpp"

namespace perigee::test {

inline TrackRecord straight(Handle handle, Tick tick, const Vec3& at, const Vec3& velocity = {},
                            const Quat& rotation = {}) {
  TrackRecord out{handle, {}};
  out.sent = tick;
  out.track.tick = tick;
  out.track.curve = velocity == Vec3{} ? TrackCurve::Still : TrackCurve::Straight;
  out.track.turn = TrackTurn::Full;
  out.track.position = at;
  out.track.velocity = velocity;
  out.track.rotation = rotation;
  return out;
}

/// In the open group of that precision.
inline bool write(BlockWriter& writer, const TrackRecord& record,
                  Precision precision = Precision::Finest) {
  return writer.record(encode_track(record, precision, 1), record.track.tick);
}

}  // namespace perigee::test
