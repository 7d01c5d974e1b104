#include "perigee/directory/standby_assignment.hpp"

namespace perigee::directory {

void StandbyAssignment::note_restored() {
  for (const Bequest& record : needs_.map.bequests) {
    if (record.copied || record.heir >= needs_.workers.size()) continue;
    needs_.workers[record.heir].buddy_in_sync = false;
    needs_.uncopied.note_restored(record.heir, needs_.version);
  }
}

void StandbyAssignment::note_report(WorkerSlot slot, const WorkerReport& report) {
  WorkerEntry& worker = needs_.workers[slot];
  const bool with_standby = report.in_sync_with && report.in_sync_with->slot == worker.buddy &&
                            needs_.workers[*worker.buddy].alive &&
                            needs_.workers[*worker.buddy].life == report.in_sync_with->life;
  const bool in_sync = with_standby && !needs_.uncopied.out_of_date(slot, report.map_version);
  const bool copied = in_sync && needs_.uncopied.note_in_sync(slot, report.map_version);
  if (copied) needs_.records.mark_copied(worker.handle_base);
  if (!copied && in_sync == worker.buddy_in_sync && report.buddy_word == worker.buddy_word) return;
  worker.buddy_in_sync = in_sync;
  worker.buddy_word = report.buddy_word;
  ++needs_.version;
}

void StandbyAssignment::release(WorkerSlot slot) {
  needs_.workers[slot].buddy.reset();
  needs_.workers[slot].buddy_in_sync = false;
  forget_copies_of(slot);
}

void StandbyAssignment::forget_copies_of(WorkerSlot slot) {
  for (WorkerEntry& worker : needs_.workers) {
    if (worker.buddy != slot) continue;
    worker.buddy.reset();
    worker.buddy_in_sync = false;
    ++needs_.version;
  }
}

/// A standby to avoid for a while because no replica can be made there: the directory hears from
/// both workers, but they have no link.
std::optional<WorkerSlot> StandbyAssignment::shunned_by(const WorkerEntry& worker) {
  const Micros now_us = needs_.stalls.advanced_us();
  Shunned& shunned = shunned_[worker.slot];
  const bool waits =
      worker.buddy && !worker.buddy_in_sync && needs_.losses.has_content(worker.slot);
  if (!waits || shunned.waits_for != worker.buddy) {
    shunned.waits_for = waits ? worker.buddy : std::nullopt;
    shunned.waits_since_us = now_us;
  } else if (now_us - shunned.waits_since_us >= copy_us_max) {
    shunned.buddy = worker.buddy;
    shunned.until_us = now_us + shunned_us;
  }
  const bool has_it_after_all = worker.buddy_in_sync && worker.buddy == shunned.buddy;
  if (has_it_after_all || now_us >= shunned.until_us) shunned.buddy.reset();
  return shunned.buddy;
}

void StandbyAssignment::choose() {
  if (!needs_.on) return;
  std::vector<bool> contents;
  contents.reserve(needs_.workers.size());
  for (const WorkerEntry& worker : needs_.workers) {
    contents.push_back(needs_.losses.has_content(worker.slot));
  }
  BuddyRanks ranks(needs_.workers, contents);
  for (WorkerEntry& worker : needs_.workers) {
    if (worker.alive) {
      choose_for(worker, ranks);
    } else {
      shunned_.erase(worker.slot);
    }
  }
}

void StandbyAssignment::choose_for(WorkerEntry& worker, BuddyRanks& ranks) {
  const auto shunned = shunned_by(worker);
  auto best = ranks.best(worker.slot, shunned);
  if (!best && shunned) best = ranks.best(worker.slot, std::nullopt);
  if (worker.buddy && worker.buddy != shunned) {
    const WorkerEntry& now = needs_.workers[*worker.buddy];
    // A worker keeps its standby if its content has no other copy yet, or if it is being emptied.
    const bool crowded = best && ranks.wards(now.slot) > 1 && ranks.wards(*best) == 0 &&
                         !worker.draining && !needs_.uncopied.contains(worker.slot) &&
                         needs_.regions.owns_any(worker.slot);
    const bool leaves = now.draining && best;  // without an alternative it keeps the replica
    if (now.alive && !leaves && !crowded) return;
  }
  if (worker.buddy == best) return;
  ranks.move(worker.buddy, best);
  worker.buddy = best;
  worker.buddy_in_sync = false;
  ++needs_.version;
}

std::vector<WorkerLife> StandbyAssignment::suspects(std::uint32_t reporter,
                                                    const WorkerReport& report) const {
  std::vector<WorkerLife> out;
  if (needs_.stalls.unsure()) return out;
  if (reporter >= needs_.workers.size() || needs_.workers[reporter].life != report.life) return out;
  for (const WorkerLife& suspect : report.suspects) {
    if (suspect.slot >= needs_.workers.size()) continue;
    const WorkerEntry& worker = needs_.workers[suspect.slot];
    if (worker.alive && worker.life == suspect.life && worker.buddy == reporter &&
        worker.buddy_in_sync) {
      out.push_back(suspect);
    }
  }
  return out;
}

}  // namespace perigee::directory
