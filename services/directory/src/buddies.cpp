// Standbys: which worker holds the replica of another, and takes over when that one's incarnation
// ends. The map alone decides: an owner commits nothing without its standby until the map says that
// it has none in sync; so a standby that is in sync by the map has everything that was committed.
#include <algorithm>
#include <utility>

#include "perigee/directory/buddy_ranks.hpp"
#include "perigee/directory/core.hpp"

namespace perigee::directory {

void Core::note_in_sync(WorkerSlot slot, const WorkerReport& report) {
  WorkerEntry& worker = map_.workers[slot];
  if (report.buddy_word != 0 || report.in_sync_with) empty_handed_.erase(worker.handle_base);
  const bool with_buddy = report.in_sync_with && report.in_sync_with->slot == worker.buddy &&
                          map_.workers[*worker.buddy].alive &&
                          map_.workers[*worker.buddy].life == report.in_sync_with->life;
  const bool in_sync = with_buddy && !out_of_date(slot, report);
  const bool copied = note_copied(slot, report, in_sync);
  if (!copied && in_sync == worker.buddy_in_sync && report.buddy_word == worker.buddy_word) return;
  worker.buddy_in_sync = in_sync;
  worker.buddy_word = report.buddy_word;
  ++map_.version;
}

/// A new incarnation has none of the replicas that the former one held.
void Core::forget_copies_of(WorkerSlot slot) {
  for (WorkerEntry& worker : map_.workers) {
    if (worker.buddy != slot) continue;
    worker.buddy.reset();
    worker.buddy_in_sync = false;
    ++map_.version;
  }
}

/// A standby to avoid for a while because no replica can be made there: the directory hears from
/// both workers, but they have no link.
std::optional<WorkerSlot> Core::shunned_by(const WorkerEntry& worker) {
  Shunned& shunned = shunned_[worker.slot];
  const bool waits = worker.buddy && !worker.buddy_in_sync && has_content(worker.slot);
  if (!waits || shunned.waits_for != worker.buddy) {
    shunned.waits_for = waits ? worker.buddy : std::nullopt;
    shunned.waits_since_us = advanced_us_;
  } else if (advanced_us_ - shunned.waits_since_us >= copy_us_max) {
    shunned.buddy = worker.buddy;
    shunned.until_us = advanced_us_ + shunned_us;
  }
  const bool has_it_after_all = worker.buddy_in_sync && worker.buddy == shunned.buddy;
  if (has_it_after_all || advanced_us_ >= shunned.until_us) shunned.buddy.reset();
  return shunned.buddy;
}

/// Replaces a standby only if it must, or to even out workers with several replicas and workers
/// with none.
void Core::choose_buddies() {
  if (!settings_.buddies) return;
  std::vector<bool> contents;
  contents.reserve(map_.workers.size());
  for (const WorkerEntry& worker : map_.workers) contents.push_back(has_content(worker.slot));
  BuddyRanks ranks(map_.workers, contents);
  for (WorkerEntry& worker : map_.workers) {
    if (!worker.alive) {
      shunned_.erase(worker.slot);
      continue;
    }
    const auto shunned = shunned_by(worker);
    auto best = ranks.best(worker.slot, shunned);
    if (!best && shunned) best = ranks.best(worker.slot, std::nullopt);
    if (worker.buddy && worker.buddy != shunned) {
      const WorkerEntry& now = map_.workers[*worker.buddy];
      // A worker keeps its standby if its content has no other copy yet, or if it is being emptied.
      const bool crowded = best && ranks.wards(now.slot) > 1 && ranks.wards(*best) == 0 &&
                           !worker.draining && !uncopied_.contains(worker.slot) &&
                           owns_region(worker.slot);
      const bool leaves = now.draining && best;  // without an alternative it keeps the replica
      if (now.alive && !leaves && !crowded) continue;
    }
    if (worker.buddy == best) continue;
    ranks.move(worker.buddy, best);
    worker.buddy = best;
    worker.buddy_in_sync = false;
    ++map_.version;
  }
}

std::vector<WorkerLife> Core::suspects(std::uint32_t reporter, const WorkerReport& report) const {
  std::vector<WorkerLife> out;
  if (advanced_us_ < unsure_until_us_) return out;
  if (reporter >= map_.workers.size() || map_.workers[reporter].life != report.life) return out;
  for (const WorkerLife& suspect : report.suspects) {
    if (suspect.slot >= map_.workers.size()) continue;
    const WorkerEntry& worker = map_.workers[suspect.slot];
    if (worker.alive && worker.life == suspect.life && worker.buddy == reporter &&
        worker.buddy_in_sync) {
      out.push_back(suspect);
    }
  }
  return out;
}

bool Core::bury(Micros now_us, const WorkerLife& suspect) {
  const bool known = suspect.slot < map_.workers.size() && map_.workers[suspect.slot].alive &&
                     map_.workers[suspect.slot].life == suspect.life;
  if (!known || !end_life(now_us, suspect.slot, End::Crash)) return false;
  ++deaths_;
  assign_regions(now_us);
  choose_buddies();
  return true;
}

/// The worker that would take over if a living worker's incarnation ended now, or why there is
/// none.
Result<WorkerSlot> Core::heir_of(Micros now_us, WorkerSlot slot, End how) const {
  const WorkerEntry& worker = map_.workers[slot];
  if (!worker.buddy) return Error{"it has no standby"};
  const std::string& buddy = workers_[*worker.buddy].name;
  const bool has_all = worker.buddy_in_sync && (how == End::Crash || !uncopied_.contains(slot));
  if (!has_all) return Error{"its standby " + buddy + " is not in sync yet"};
  // A standby that was silent lately may have died of the same cause.
  const bool lives =
      map_.workers[*worker.buddy].alive && now_us - workers_[*worker.buddy].heard_us <= together_us;
  if (!lives) return Error{"its standby " + buddy + " has sent no heartbeat lately"};
  return *worker.buddy;
}

/// The standby takes over the worker's regions and the incarnations it had taken over, or the
/// worker is quarantined. False: there is no successor, and nothing has changed.
bool Core::end_life(Micros now_us, WorkerSlot slot, End how) {
  if (!map_.workers[slot].alive) return false;
  const auto named = heir_of(now_us, slot, how);
  if (!named) return false;
  const Bequest row = row_after(now_us, slot, how);
  if (row.crashes >= crashes_max) {
    quarantine(now_us, slot);
    return true;
  }
  leave_behind_uncopied(now_us, slot);
  bequeath(now_us, slot, *named, row);
  return true;
}

void Core::bequeath(Micros now_us, WorkerSlot slot, WorkerSlot to, const Bequest& row) {
  WorkerEntry& worker = map_.workers[slot];
  WorkerEntry& heir = map_.workers[to];
  empty_handed_.erase(heir.handle_base);
  // The successor's own standby has a replica only of what the successor owned before.
  Uncopied& fresh = uncopied_[heir.slot];
  for (RegionEntry& region : map_.regions) {
    if (region.owner != slot) continue;
    region.owner = heir.slot;
    ++region.epoch;
    note_change(region.region, now_us);
    fresh.regions.push_back(region.region);
  }
  map_.bequests.push_back({.handle_base = worker.handle_base, .epoch = 1});
  for (Bequest& bequest : map_.bequests) {
    if (bequest.handle_base != worker.handle_base &&
        bequest.heir_handle_base != worker.handle_base) {
      continue;
    }
    bequest.heir = heir.slot;
    bequest.heir_handle_base = heir.handle_base;
    ++bequest.epoch;
    bequest.crashes = row.crashes;
    bequest.crashing_since_us = row.crashing_since_us;
    bequest.copied = false;
  }
  worker.alive = false;
  worker.buddy.reset();
  worker.buddy_in_sync = false;
  forget_copies_of(slot);
  workers_[slot].life_over = true;
  reports_.erase(slot);
  ++bequeathed_;
  if (row.crashes > 1) ++careful_;
  fresh.since = ++map_.version;
}

/// Drops records of successors that have died, and records with a handle block that was reused.
void Core::forget_bequests() {
  const auto over = [&](const Bequest& bequest) {
    const auto lives = [&](const WorkerEntry& worker) {
      return worker.alive && worker.handle_base == bequest.handle_base;
    };
    const WorkerEntry& heir = map_.workers[bequest.heir];
    return !heir.alive || heir.handle_base != bequest.heir_handle_base ||
           std::any_of(map_.workers.begin(), map_.workers.end(), lives);
  };
  const std::size_t before = map_.bequests.size();
  std::erase_if(map_.bequests, over);
  if (map_.bequests.size() > bequests_max) {
    const auto more = map_.bequests.size() - bequests_max;
    map_.bequests.erase(map_.bequests.begin(),
                        map_.bequests.begin() + static_cast<std::ptrdiff_t>(more));
  }
  if (map_.bequests.size() != before) ++map_.version;
}

}  // namespace perigee::directory
