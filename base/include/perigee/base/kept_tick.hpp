/// Long-lived ticks. Two ticks compare correctly within half of the counter's range, 414 days. A
/// stored tick that marks the start of some condition is moved forward before it gets that old.
#pragma once

#include "perigee/base/tick.hpp"

namespace perigee {

/// A stored tick is at most this old, 3 days; readers need not distinguish greater ages.
inline constexpr std::int32_t kept_ticks_max = 1 << 24;
/// How often owners move their stored ticks forward: every five hours.
constexpr bool kept_ticks_turn(Tick now) { return now.count % (1U << 20) == 0; }

/// To be called at each kept_ticks_turn.
constexpr void move_along(Tick& kept, Tick now) {
  if (ticks_between(kept, now) > kept_ticks_max) kept = now - kept_ticks_max;
}

}  // namespace perigee
