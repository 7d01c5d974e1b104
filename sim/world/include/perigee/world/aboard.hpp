/// The frame of a machine that turns or travels aboard a body, as its riders feel it.
#pragma once

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

}  // namespace perigee::world
