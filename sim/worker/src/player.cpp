#include "perigee/worker/player.hpp"

namespace perigee::worker {

Quat Player::yaw_rotation() const {
  const auto applied = inputs.last_applied();
  const world::StepRecord* record = applied ? records.find(*applied) : nullptr;
  if (record == nullptr) return {};
  return perigee::yaw_rotation(record->input.yaw * (2 * pi / 65536));
}

}  // namespace perigee::worker
