/// The frame of a machine that turns or travels aboard a body, as its riders feel it.
#pragma once

#include <optional>

#include "perigee/world/entity_type.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::world {

/// Riders of the carrier feel nothing of what it does, so those of a machine aboard feel only what
/// the machine does in the carrier's frame.
inline bool shields(const EntityType& carrier, const EntityType& aboard) {
  return carrier.kind == EntityKind::Body && carrier.inertia == Inertia::None &&
         aboard.kind == EntityKind::Timeline && aboard.inertia == Inertia::Full;
}

/// The frame of `aboard` over a tick on such a carrier. Motions are of the world, at both ends.
inline FrameMotion frame_aboard(const Motion& carrier_start, const Motion& carrier_end,
                                const Motion& start, const Motion& end, const EntityType& aboard) {
  return frame_motion(seen_from(carrier_start, start), seen_from(carrier_end, end), aboard.inertia,
                      aboard.gravity);
}

/// The frame of an entity over a tick, as its riders feel it. It stands on `carrier`, whose motion
/// `carrier_motion` gives at the begin (0) and the end (1) of the tick, if it is known; null: on
/// nothing. None if a motion that is needed is not known.
template <class CarrierMotion>
std::optional<FrameMotion> frame_felt(const EntityType& type, const Motion& start,
                                      const Motion& end, const EntityType* carrier,
                                      const CarrierMotion& carrier_motion) {
  if (carrier == nullptr || !shields(*carrier, type)) {
    return frame_motion(start, end, type.inertia, type.gravity);
  }
  const std::optional<Motion> from = carrier_motion(0);
  const std::optional<Motion> to = carrier_motion(1);
  if (!from || !to) return std::nullopt;
  return frame_aboard(*from, *to, start, end, type);
}

}  // namespace perigee::world
