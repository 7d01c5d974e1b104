// Small conversions and inputs for all parts of the brain.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/tick.hpp"
#include "perigee/base/vec.hpp"

namespace perigee::bots {

inline constexpr std::int8_t full_axis = 127;
inline constexpr double elbow_room_m = 2.5;  // bots turn aside from nearer bodies

inline std::uint16_t yaw_of(double radians) {
  const double turns = radians / (2 * pi);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>((turns - std::floor(turns)) * 65536) &
                                    0xffff);
}
inline std::int16_t pitch_of(double radians) {
  return static_cast<std::int16_t>(std::clamp(radians, -pi / 2, pi / 2) * (65536 / (2 * pi)));
}
inline std::int8_t axis(double value) {
  return static_cast<std::int8_t>(std::clamp(value, -1.0, 1.0) * full_axis);
}
inline std::int32_t ticks(double seconds) {
  return static_cast<std::int32_t>(seconds * default_tick_rate_hz);
}
inline void press(PlayerInput& input, std::uint16_t button) {
  input.samples.push_back({static_cast<std::uint8_t>(64), button, ActionKind::None, no_entity});
}
inline void use(PlayerInput& input, Handle target) {
  input.samples.push_back({128, 0, ActionKind::Use, target});
}

}  // namespace perigee::bots
