/// Directions for bots and NPCs.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"
#include "perigee/base/vec.hpp"

namespace hover_tag {

/// The yaw that looks along `way`.
inline std::uint16_t yaw_towards(const perigee::Vec3& way) {
  const double turn = perigee::arc_tangent(way.x, way.z) / (2 * perigee::pi);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(turn * 65536));
}

/// Jumps, and hovers as long as the jump goes up.
inline void jump(perigee::PlayerInput& input) {
  input.samples.push_back({.pressed = perigee::button_jump});
  input.held |= perigee::button_jump;
}

}  // namespace hover_tag
