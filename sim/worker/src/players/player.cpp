#include "perigee/worker/players/player.hpp"

namespace perigee::worker {

// An input may have been in flight until the gateway has certainly been notified, and the former
// owner has forwarded the last inputs.
bool Player::moved_about(Tick tick, std::int32_t window_ticks) const {
  constexpr std::int32_t settled_ticks = 30;
  if (!moved_at) return false;
  const std::int32_t since = ticks_between(*moved_at, tick);
  return since >= -window_ticks && since < settled_ticks;
}

bool Player::mark_wrong(Tick at, Tick next) {
  if (before(at, inputs.oldest_open(next)) || records.find(at) == nullptr) return false;
  wrong.add(at);
  return true;
}

void Player::start_anew(Tick next, std::int32_t rest_ticks) {
  ++reset_epoch;
  elsewhere = false;
  inputs.reset(next);
  wrong.clear();
  reread.clear();
  claims.clear();
  far_off_since.reset();
  claims_checked = next + rest_ticks;
  other_parent_ticks = 0;
}

world::Bounds Player::surroundings(const ActorState& local) const {
  constexpr double margin_m = 2;
  return world::inflated(world::reach_of(*params, local), margin_m);
}

Quat Player::yaw_rotation() const {
  if (!inputs.last_applied()) return {};
  const world::StepRecord* record = records.find(inputs.last_applied_at());
  if (record == nullptr) return {};
  return perigee::yaw_rotation(record->input.yaw * (2 * pi / 65536));
}

}  // namespace perigee::worker
