/// Send schedule of the far lane: distance rings and phase classes. One comparison per candidate,
/// no state per pair; a hash of each entity's identity spreads the updates over the slots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"

namespace perigee {

inline constexpr std::int32_t send_slot_ticks = 4;
inline constexpr std::uint32_t phase_classes = 15;  ///< divisible by the periods in slots
inline constexpr std::size_t interest_rings = 4;

/// Limit of entities that one client knows at a time, over all workers together; the client's
/// memory is sized for it.
inline constexpr std::size_t known_entities_max = 4096;

/// The one place that defines the distances and periods of interest. Some texts and tools repeat
/// them; tests/rooms/check_rings.py compares those copies with the numbers here.
struct InterestRings {
  /// Outer radius of each ring, metres, ascending.
  std::array<double, interest_rings> radius_m{80, 300, 800, 3000};
  static constexpr std::array<std::int32_t, interest_rings> period_ticks{4, 12, 20, 60};
};
/// Radius of the near lane. Entities in it are due in every slot. A crowd makes the radius smaller.
inline constexpr double near_lane_m = InterestRings{}.radius_m[1];
/// Nothing is sent to a client from farther away.
inline constexpr double interest_radius_m = InterestRings{}.radius_m.back();
/// Each period is a number of slots that divides the classes, so that every class is due in time.
static_assert([] {
  for (const std::int32_t period : InterestRings::period_ticks) {
    if (period % send_slot_ticks != 0) return false;
    if (phase_classes % static_cast<std::uint32_t>(period / send_slot_ticks) != 0) return false;
  }
  return InterestRings::period_ticks[0] == send_slot_ticks;
}());

constexpr std::uint32_t phase_class(std::uint64_t entity_identity) {
  return static_cast<std::uint32_t>(mix64(entity_identity) % phase_classes);
}
constexpr std::uint32_t send_slot(Tick tick) { return tick.count / send_slot_ticks; }

/// Radius up to which entities of class `h` are due in slot `j`, before the client's stretch.
constexpr double due_radius_m(const InterestRings& rings, std::uint32_t j, std::uint32_t h) {
  const std::uint32_t n = (j % phase_classes) + h;
  for (std::size_t ring = interest_rings - 1; ring > 0; --ring) {
    const std::int32_t slots = InterestRings::period_ticks[ring] / send_slot_ticks;
    if (n % static_cast<std::uint32_t>(slots) == 0) return rings.radius_m[ring];
  }
  return rings.radius_m[0];
}
/// Longest gap between two updates at this distance; 0 beyond the last ring.
constexpr std::int32_t period_ticks_at(const InterestRings& rings, double distance_m) {
  for (std::size_t ring = 0; ring < interest_rings; ++ring) {
    if (distance_m <= rings.radius_m[ring]) return InterestRings::period_ticks[ring];
  }
  return 0;
}

}  // namespace perigee
