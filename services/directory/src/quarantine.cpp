// Poison: an input or a state that crashes any worker that simulates it. An incarnation is taken
// over at most twice in a crash chain, the second time with pending inputs skipped; then it is
// abandoned. (decision 0044)
#include <algorithm>

#include "perigee/directory/core.hpp"

namespace perigee::directory {

/// The crash chain that this death belongs to, as its successor must know it.
Bequest Core::row_after(Micros now_us, WorkerSlot slot, End how) const {
  Bequest out;
  for (const Bequest& bequest : map_.bequests) {
    const bool its = bequest.heir_handle_base == map_.workers[slot].handle_base;
    const bool lately = now_us - bequest.crashing_since_us <= row_us;
    if (!its || !lately || bequest.crashes <= out.crashes) continue;
    out.crashes = bequest.crashes;
    out.crashing_since_us = bequest.crashing_since_us;
  }
  if (how == End::Order) return out;
  if (out.crashes++ == 0) out.crashing_since_us = now_us;
  return out;
}

/// The worker's entities are lost although its standby has a replica.
void Core::quarantine(Micros now_us, WorkerSlot slot) {
  WorkerEntry& worker = map_.workers[slot];
  quarantined_ += 1 + static_cast<std::uint64_t>(std::count_if(
                          map_.bequests.begin(), map_.bequests.end(), [&](const Bequest& bequest) {
                            return bequest.heir_handle_base == worker.handle_base;
                          }));
  worker.alive = false;
  ++map_.version;
  for (RegionEntry& region : map_.regions) {
    if (region.owner == slot) lose(now_us, region);
  }
  worker.buddy.reset();
  worker.buddy_in_sync = false;
  forget_copies_of(slot);
  workers_[slot].life_over = true;
  reports_.erase(slot);
  uncopied_.erase(slot);
}

// A worker that dies soon after a takeover presumably died of the entities it took over. Its own
// standby has no replica of those, but has all that it owned before.
void Core::leave_behind_uncopied(Micros now_us, WorkerSlot slot) {
  const auto fresh = uncopied_.extract(slot);
  if (!fresh) return;
  quarantined_ += std::erase_if(map_.bequests, [&](const Bequest& bequest) {
    return bequest.heir_handle_base == map_.workers[slot].handle_base && !bequest.copied;
  });
  for (const Region id : fresh.mapped().regions) {
    RegionEntry* region = entry_of(id);
    if (region != nullptr && region->owner == slot) lose(now_us, *region);
  }
}

/// True: the successor's standby now also has a replica of the recent takeover.
bool Core::note_copied(WorkerSlot slot, const WorkerReport& report, bool in_sync) {
  const auto fresh = uncopied_.find(slot);
  if (fresh == uncopied_.end() || !in_sync || report.map_version < fresh->second.since) {
    return false;
  }
  for (Bequest& bequest : map_.bequests) {
    if (bequest.heir_handle_base == map_.workers[slot].handle_base) bequest.copied = true;
  }
  uncopied_.erase(fresh);
  return true;
}

/// A directory that has just become leader does not know which regions a takeover brought. Until
/// the successor has adopted the present map, its replica does not count as in sync.
bool Core::out_of_date(WorkerSlot slot, const WorkerReport& report) const {
  const auto fresh = uncopied_.find(slot);
  return fresh != uncopied_.end() && fresh->second.restored &&
         report.map_version < fresh->second.since;
}

void Core::distrust_copies() {
  for (const Bequest& bequest : map_.bequests) {
    if (bequest.copied || bequest.heir >= map_.workers.size()) continue;
    map_.workers[bequest.heir].buddy_in_sync = false;
    uncopied_[bequest.heir] = {.since = map_.version, .regions = {}, .restored = true};
  }
}

}  // namespace perigee::directory
