#include "perigee/base/player_input.hpp"

#include <algorithm>

namespace perigee {

bool operator==(const PlayerInput& a, const PlayerInput& b) {
  return a.tick == b.tick && a.right == b.right && a.up == b.up && a.forward == b.forward &&
         a.yaw == b.yaw && a.pitch == b.pitch && a.held == b.held && a.view_age == b.view_age &&
         a.own == b.own &&
         std::equal(a.samples.begin(), a.samples.end(), b.samples.begin(), b.samples.end());
}

PlayerInput held(const PlayerInput& input, Tick for_tick, const InputLayout& own) {
  PlayerInput out = input;
  out.tick = for_tick;
  out.samples.clear();
  own.hold(out.own);
  return out;
}

PlayerInput neutral(const PlayerInput& input, Tick for_tick, const InputLayout& own) {
  PlayerInput out;
  out.tick = for_tick;
  out.yaw = input.yaw;
  out.pitch = input.pitch;
  out.own = input.own;
  own.release(out.own);
  return out;
}

std::uint16_t pressed_mask(const PlayerInput& input) {
  std::uint16_t mask = 0;
  for (const SubSample& sample : input.samples) mask |= sample.pressed;
  return mask;
}

}  // namespace perigee
