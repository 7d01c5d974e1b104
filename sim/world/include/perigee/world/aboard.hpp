/// The reference frame that riders feel on a machine that turns or travels aboard a body.
#pragma once

#include <optional>

#include "perigee/world/entity_type.hpp"
#include "perigee/world/frame.hpp"

namespace perigee::world {

/// Whether `carrier` shields the riders of the machine `aboard` from the carrier's own motion.
/// Riders of such a carrier feel none of its motion, so riders of the machine feel only the
/// machine's motion in the carrier's frame.
inline bool shields(const EntityType& carrier, const EntityType& aboard) {
  return carrier.kind == EntityKind::Body && carrier.inertia == Inertia::None &&
         aboard.kind == EntityKind::Timeline && aboard.inertia == Inertia::Full;
}

/// The frame of `aboard` over a tick on such a carrier. All motions are in world axes, at both ends
/// of the tick.
inline FrameMotion frame_aboard(const Motion& carrier_start, const Motion& carrier_end,
                                const Motion& start, const Motion& end, const EntityType& aboard) {
  return frame_motion(seen_from(carrier_start, start), seen_from(carrier_end, end), aboard.inertia,
                      aboard.gravity);
}

/// The frame that an entity's riders feel over a tick. The entity stands on `carrier`; null: on
/// nothing. `carrier_motion` gives the carrier's motion at the start (0) and the end (1) of the
/// tick, if known. None if a required motion is unknown.
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
