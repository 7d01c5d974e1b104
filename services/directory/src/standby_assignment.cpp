#include "perigee/directory/standby_assignment.hpp"

namespace perigee::directory {

void StandbyAssignment::note_restored() {
  for (const FailoverRecord& record : needs_.map.failover_records) {
    if (record.copied || record.successor.index() >= needs_.workers.size()) continue;
    needs_.workers[record.successor.index()].standby_in_sync = false;
    needs_.uncopied.note_restored(record.successor, needs_.version);
  }
}

void StandbyAssignment::note_report(WorkerSlot slot, const WorkerReport& report) {
  WorkerEntry& worker = needs_.workers[slot.index()];
  const bool with_standby =
      report.in_sync_with && report.in_sync_with->slot == worker.standby &&
      needs_.workers[worker.standby->index()].alive &&
      needs_.workers[worker.standby->index()].incarnation == report.in_sync_with->incarnation;
  const bool in_sync = with_standby && !needs_.uncopied.out_of_date(slot, report.map_version);
  const bool copied = in_sync && needs_.uncopied.note_in_sync(slot, report.map_version);
  if (copied) needs_.records.mark_copied(worker.handle_base);
  if (!copied && in_sync == worker.standby_in_sync && report.standby_word == worker.standby_word)
    return;
  worker.standby_in_sync = in_sync;
  worker.standby_word = report.standby_word;
  ++needs_.version;
}

void StandbyAssignment::release(WorkerSlot slot) {
  needs_.workers[slot.index()].standby.reset();
  needs_.workers[slot.index()].standby_in_sync = false;
  forget_copies_of(slot);
}

void StandbyAssignment::forget_copies_of(WorkerSlot slot) {
  for (WorkerEntry& worker : needs_.workers) {
    if (worker.standby != slot) continue;
    worker.standby.reset();
    worker.standby_in_sync = false;
    ++needs_.version;
  }
}

/// A standby to avoid for a while because no replica can be made there: the directory hears from
/// both workers, but they have no link.
std::optional<WorkerSlot> StandbyAssignment::shunned_by(const WorkerEntry& worker) {
  const Micros now_us = needs_.stalls.advanced_us();
  Shunned& shunned = shunned_[worker.slot];
  const bool waits =
      worker.standby && !worker.standby_in_sync && needs_.losses.has_content(worker.slot);
  if (!waits || shunned.waits_for != worker.standby) {
    shunned.waits_for = waits ? worker.standby : std::nullopt;
    shunned.waits_since_us = now_us;
  } else if (now_us - shunned.waits_since_us >= copy_us_max) {
    shunned.standby = worker.standby;
    shunned.until_us = now_us + shunned_us;
  }
  const bool has_it_after_all = worker.standby_in_sync && worker.standby == shunned.standby;
  if (has_it_after_all || now_us >= shunned.until_us) shunned.standby.reset();
  return shunned.standby;
}

void StandbyAssignment::choose() {
  if (!needs_.on) return;
  std::vector<bool> contents;
  contents.reserve(needs_.workers.size());
  for (const WorkerEntry& worker : needs_.workers) {
    contents.push_back(needs_.losses.has_content(worker.slot));
  }
  StandbyRanks ranks(needs_.workers, contents);
  for (WorkerEntry& worker : needs_.workers) {
    if (worker.alive) {
      choose_for(worker, ranks);
    } else {
      shunned_.erase(worker.slot);
    }
  }
}

void StandbyAssignment::choose_for(WorkerEntry& worker, StandbyRanks& ranks) {
  const auto shunned = shunned_by(worker);
  auto best = ranks.best(worker.slot, shunned);
  if (!best && shunned) best = ranks.best(worker.slot, std::nullopt);
  if (worker.standby && worker.standby != shunned) {
    const WorkerEntry& now = needs_.workers[worker.standby->index()];
    // A worker keeps its standby if its content has no other copy yet, or if it is being emptied.
    const bool crowded = best && ranks.held(now.slot) > 1 && ranks.held(*best) == 0 &&
                         !worker.draining && !needs_.uncopied.contains(worker.slot) &&
                         needs_.regions.owns_any(worker.slot);
    const bool leaves = now.draining && best;  // without an alternative it keeps the replica
    if (now.alive && !leaves && !crowded) return;
  }
  if (worker.standby == best) return;
  ranks.move(worker.standby, best);
  worker.standby = best;
  worker.standby_in_sync = false;
  ++needs_.version;
}

std::vector<WorkerIncarnation> StandbyAssignment::suspects(std::uint32_t reporter,
                                                           const WorkerReport& report) const {
  std::vector<WorkerIncarnation> out;
  if (needs_.stalls.unsure()) return out;
  if (reporter >= needs_.workers.size() ||
      needs_.workers[reporter].incarnation != report.incarnation)
    return out;
  for (const WorkerIncarnation& suspect : report.suspects) {
    if (suspect.slot.index() >= needs_.workers.size()) continue;
    const WorkerEntry& worker = needs_.workers[suspect.slot.index()];
    if (worker.alive && worker.incarnation == suspect.incarnation &&
        worker.standby == WorkerSlot::at(reporter) && worker.standby_in_sync) {
      out.push_back(suspect);
    }
  }
  return out;
}

}  // namespace perigee::directory
