#include "perigee/worker/durability/checkpoint_schedule.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/kept_tick.hpp"

namespace perigee::worker {

void CheckpointSchedule::on_map() {
  std::vector<WorkerEntry> living;
  for (const WorkerEntry& worker : cluster_.map().workers) {
    if (worker.alive) living.push_back(worker);
  }
  if (living == workers_) return;
  workers_ = std::move(living);
  same_since_.reset();
}

bool CheckpointSchedule::due(Tick at) {
  if (!same_since_) same_since_ = at;
  const auto& regions = cluster_.map().regions;
  return at.count % checkpoint_every_ticks == 0 &&
         ticks_between(*same_since_, at) >= same_workers_ticks &&
         std::all_of(regions.begin(), regions.end(),
                     [](const RegionEntry& region) { return region.owner.has_value(); });
}

std::optional<Tick> CheckpointSchedule::idle(Tick now) {
  const Tick at{now.count - now.count % checkpoint_every_ticks};
  const bool news = idle_at_ && before(*idle_at_, at);
  idle_at_ = at;
  if (!same_since_) same_since_ = now;
  return news && due(at) ? std::optional(at) : std::nullopt;
}

std::vector<WorkerSlot> CheckpointSchedule::slots() const {
  std::vector<WorkerSlot> out;
  out.reserve(workers_.size());
  for (const WorkerEntry& worker : workers_) out.push_back(worker.slot);
  return out;
}

void CheckpointSchedule::keep_ticks(Tick now) {
  if (same_since_) move_along(*same_since_, now);
}

}  // namespace perigee::worker
