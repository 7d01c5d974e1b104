#include "flight_recordings.hpp"

#include <algorithm>

namespace perigee::worker {

void Flights::after_tick(Core& core, Micros now_us) {
  for (const Misprediction& misprediction : core.take_mispredictions()) {
    const bool known = std::any_of(
        waiting_.begin(), waiting_.end(),
        [&](const Misprediction& other) { return other.client_id == misprediction.client_id; });
    if (!known) waiting_.push_back(misprediction);
  }
  if (waiting_.empty() || !log_.rested(now_us)) return;
  const Misprediction of = waiting_[0];
  const std::int32_t ago = ticks_between(of.tick, core.next_tick());
  if (ago < flight_log::settled_ticks) return;
  waiting_.erase(0);
  if (ago > too_old_ticks) return;
  const auto recording = core.recording(of, flight_log::build_name());
  if (recording) log_.write(now_us, *recording);
}

}  // namespace perigee::worker
