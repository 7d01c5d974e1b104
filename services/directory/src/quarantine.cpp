// Poison: an input or a state that ends whoever plays it. A life is passed on twice in a row at the
// most, the second time without the inputs that waited; then nobody goes on with it. (decision
// 0044)
#include <algorithm>

#include "perigee/directory/core.hpp"

namespace perigee::directory {

/// With whom this one dies in a row, as its heir is to be told.
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

/// What it has is lost, although its buddy has it.
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

// It died of what it had just gone on with, for all that is known, and its own buddy has nothing of
// that: but all of what was its own before.
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

/// True: the heir's buddy has now also what that one went on with lately.
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

/// Who has just begun to decide does not know what would have to be left behind: until the heir has
/// heard of it, nobody has its things.
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
