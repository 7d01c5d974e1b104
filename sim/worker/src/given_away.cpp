#include "given_away.hpp"

#include <algorithm>

#include "observer_state.hpp"

namespace perigee::worker {

void Core::GivenAway::note(std::span<const Handle> members, WorkerSlot to) {
  const WorkerEntry* worker = core_.map_.worker(to);
  PERIGEE_ASSERT(worker != nullptr, "the receiver of a group must be in the map");
  for (const Handle handle : members) {
    if (given_.size() >= core_.settings_.entities_max) given_.pop_front();
    given_.push_back({handle, worker->handle_base, core_.next_});
  }
}

/// Whether an incarnation ended permanently: a worker that is wrongly taken for dead and keeps its
/// regions may come back.
bool Core::GivenAway::over(std::uint32_t block) const {
  const auto& workers = core_.map_.workers;
  const auto of = std::find_if(workers.begin(), workers.end(), [&](const WorkerEntry& worker) {
    return worker.handle_base == block;
  });
  if (of == workers.end()) return true;
  const auto& regions = core_.map_.regions;
  return !of->alive && std::none_of(regions.begin(), regions.end(), [&](const RegionEntry& region) {
    return region.owner == of->slot;
  });
}

void Core::GivenAway::follow_heirs() {
  for (Given& given : given_) {
    if (const Bequest* bequest = core_.map_.bequest(given.block)) {
      given.block = bequest->heir_handle_base;
    }
  }
}

void Core::GivenAway::on_map() {
  follow_heirs();
  std::erase_if(given_, [&](const Given& given) {
    if (!over(given.block)) return false;
    const world::Entity* entity = core_.world_->find(given.handle);
    if (entity != nullptr && !entity->remote) return true;  // the entity has come back
    for (auto& [session, state] : core_.observers_) {
      replication::Publisher::lose(state->observer, given.handle);
    }
    return true;
  });
}

void Core::GivenAway::after_tick() {
  while (!given_.empty() && ticks_between(given_.front().at, core_.next_) > kept_ticks) {
    given_.pop_front();
  }
}

}  // namespace perigee::worker
