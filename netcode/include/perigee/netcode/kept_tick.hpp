/// Ticks that are kept for long. Two ticks compare within half of the counter's range, 414 days. A
/// kept tick that says since when something is so is moved along before it gets that old.
#pragma once

#include "perigee/netcode/tick.hpp"

namespace perigee {

/// A kept tick is at most this old, 3 days: no reader needs to tell longer ages apart.
inline constexpr std::int32_t kept_ticks_max = 1 << 24;
/// How often keepers move along what they keep: five hours.
constexpr bool kept_ticks_turn(Tick now) { return now.count % (1U << 20) == 0; }

/// To be called at each kept_ticks_turn.
constexpr void move_along(Tick& kept, Tick now) {
  if (ticks_between(kept, now) > kept_ticks_max) kept = now - kept_ticks_max;
}

}  // namespace perigee
