/// The pose of a frame as seen from one that it holds.
#pragma once

#include "perigee/base/vec.hpp"

namespace perigee::world {

constexpr Pose inverse(const Pose& pose) {
  const Quat back = conjugate(pose.rotation);
  return {rotate(back, -pose.position), back};
}

}  // namespace perigee::world
