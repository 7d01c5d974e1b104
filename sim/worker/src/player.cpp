#include "perigee/worker/player.hpp"

namespace perigee::worker {

Quat Player::yaw_rotation() const {
  if (!inputs.last_applied()) return {};
  const world::StepRecord* record = records.find(inputs.last_applied_at());
  if (record == nullptr) return {};
  return perigee::yaw_rotation(record->input.yaw * (2 * pi / 65536));
}

}  // namespace perigee::worker
