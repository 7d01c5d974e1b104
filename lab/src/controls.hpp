#pragma once

#include <algorithm>
#include <cstdint>

namespace perigee::lab {

/// An axis of the controls, from a value of -1 to 1, which is clamped.
inline std::int8_t axis(double share) {
  return static_cast<std::int8_t>(std::clamp(share, -1.0, 1.0) * 127);
}

}  // namespace perigee::lab
