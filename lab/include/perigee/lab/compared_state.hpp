/// An avatar's state after a tick, as far as the lab compares both sides' states.
#pragma once

#include <cstdint>

#include "perigee/base/ring.hpp"
#include "perigee/world/step_record.hpp"

namespace perigee::lab {

struct ComparedState {
  Handle parent = no_entity;
  bool steers = false;  ///< then the position is in world space, since the parent is what moves
  Vec3 position;
  std::uint8_t reset_epoch = 0;  ///< a prediction from before a respawn is not an error

  bool comparable(const ComparedState& other) const {
    return parent == other.parent && steers == other.steers && reset_epoch == other.reset_epoch;
  }
};
/// The worker's, by tick of the state.
using FinalStates = TickRing<ComparedState, 256>;

/// `ship`: pose of the parent after the tick, if the avatar steers it.
ComparedState compared_state(const world::StepRecord& record, const Pose* ship,
                             std::uint8_t reset_epoch);

}  // namespace perigee::lab
