#include "perigee/directory/failover_policy.hpp"

#include <algorithm>
#include <string>

#include "perigee/directory/handle_blocks.hpp"

namespace perigee::directory {

void FailoverPolicy::end_silent(Micros now_us) {
  for (const WorkerEntry& worker : needs_.map.workers) {
    if (!needs_.members.silent(now_us, worker.slot)) continue;
    ++deaths_;
    if (!take_over(now_us, worker.slot, IncarnationEnd::Crash)) {
      needs_.members.end_worker(worker.slot);
    }
  }
}

bool FailoverPolicy::confirm_death(Micros now_us, const WorkerIncarnation& suspect) {
  const auto& workers = needs_.map.workers;
  const bool known = suspect.slot.index() < workers.size() && workers[suspect.slot.index()].alive &&
                     workers[suspect.slot.index()].incarnation == suspect.incarnation;
  if (!known || !take_over(now_us, suspect.slot, IncarnationEnd::Crash)) return false;
  ++deaths_;
  return true;
}

void FailoverPolicy::end_by_itself(Micros now_us, WorkerSlot slot) {
  if (needs_.losses.has_content(slot) && take_over(now_us, slot, IncarnationEnd::Order)) return;
  end_without_successor(now_us, slot);
}

Result<std::optional<WorkerSlot>> FailoverPolicy::end_by_order(Micros now_us, WorkerSlot slot,
                                                               bool force) {
  std::optional<WorkerSlot> successor;
  if (const auto named = successor_of(now_us, slot, IncarnationEnd::Order)) {
    successor = *named;
    take_over(now_us, slot, IncarnationEnd::Order);
  } else if (force || !needs_.losses.has_content(slot)) {
    end_without_successor(now_us, slot);
    needs_.members.end_incarnation(slot);
  } else {
    return Error{"the entities of " + needs_.members.worker(slot).name +
                 " would be lost: " + named.error().message + "; wait, drain it, or use --force"};
  }
  ++deaths_;
  return successor;
}

void FailoverPolicy::end_by_restart(Micros now_us, WorkerSlot slot) {
  // It is unknown whether the standby has died of the same cause, unaware of what it would take
  // over.
  const bool copied = !needs_.uncopied.contains(slot);
  if (copied && take_over(now_us, slot, IncarnationEnd::Crash)) return;
  needs_.losses.lose_all(now_us, slot);
}

/// The worker that would take over if a living worker's incarnation ended now, or why there is
/// none.
Result<WorkerSlot> FailoverPolicy::successor_of(Micros now_us, WorkerSlot slot,
                                                IncarnationEnd how) const {
  const WorkerEntry& worker = needs_.map.workers[slot.index()];
  if (!worker.standby) return Error{"it has no standby"};
  const std::string& standby = needs_.members.worker(*worker.standby).name;
  const bool has_all =
      worker.standby_in_sync && (how == IncarnationEnd::Crash || !needs_.uncopied.contains(slot));
  if (!has_all) return Error{"its standby " + standby + " is not in sync yet"};
  // A standby that was silent lately may have died of the same cause.
  if (!needs_.members.received_lately(now_us, *worker.standby)) {
    return Error{"its standby " + standby + " has sent no heartbeat lately"};
  }
  return *worker.standby;
}

/// The standby takes over the worker's regions and the incarnations that the worker had taken over,
/// or the worker is quarantined. False: there is no successor, and nothing has changed.
bool FailoverPolicy::take_over(Micros now_us, WorkerSlot slot, IncarnationEnd how) {
  const WorkerEntry& worker = needs_.map.workers[slot.index()];
  if (!worker.alive) return false;
  const auto successor = successor_of(now_us, slot, how);
  if (!successor) return false;
  const CrashChain chain = needs_.records.chain_after(now_us, worker.handle_base, how);
  if (chain.crashes >= FailoverRecords::crashes_max) {
    quarantine(now_us, slot);
    return true;
  }
  leave_behind_uncopied(now_us, slot);
  hand_over(now_us, slot, *successor, chain);
  return true;
}

void FailoverPolicy::hand_over(Micros now_us, WorkerSlot slot, WorkerSlot to,
                               const CrashChain& chain) {
  const WorkerEntry& successor = needs_.map.workers[to.index()];
  needs_.losses.note_takes(successor.handle_base);
  const std::vector<RegionId> regions = needs_.regions.owned_by(slot);
  for (const RegionId region : regions) needs_.regions.hand_over(now_us, region, to);
  needs_.records.hand_over(needs_.map.workers[slot.index()].handle_base, successor, chain);
  needs_.members.end_worker(slot);
  close(slot);
  ++takeovers_;
  if (chain.crashes > 1) ++promotions_without_inputs_;
  // The successor's own standby has a replica only of what the successor owned before.
  needs_.uncopied.note(to, needs_.version, regions);
}

/// A worker that dies soon after a takeover presumably died of the entities it took over. Its own
/// standby has no replica of those, but has all that the worker owned before.
void FailoverPolicy::leave_behind_uncopied(Micros now_us, WorkerSlot slot) {
  if (!needs_.uncopied.contains(slot)) return;
  quarantined_ += needs_.records.drop_uncopied(needs_.map.workers[slot.index()].handle_base);
  for (const RegionId id : needs_.uncopied.extract(slot)) {
    const RegionEntry* region = needs_.regions.find(id);
    if (region != nullptr && region->owner == slot) needs_.losses.lose(now_us, id);
  }
}

/// The worker's entities are lost although its standby has a replica.
void FailoverPolicy::quarantine(Micros now_us, WorkerSlot slot) {
  quarantined_ += 1 + needs_.records.taken_over_by(needs_.map.workers[slot.index()].handle_base);
  needs_.members.end_worker(slot);
  needs_.losses.lose_all(now_us, slot);
  close(slot);
  needs_.uncopied.forget(slot);
}

/// Ends an incarnation without a successor; the other workers are known to live.
void FailoverPolicy::end_without_successor(Micros now_us, WorkerSlot slot) {
  needs_.members.end_worker(slot);
  needs_.losses.lose_all(now_us - together_us, slot);
}

/// Nothing of the ended incarnation counts any more.
void FailoverPolicy::close(WorkerSlot slot) {
  needs_.standbys.release(slot);
  needs_.members.end_incarnation(slot);
  needs_.reports.forget(slot);
}

Result<Ok> FailoverPolicy::resolve(HandleBlock block) {
  const std::string name = "incarnation " + std::to_string(block.number);
  const auto& workers = needs_.map.workers;
  const auto incarnations = std::find_if(
      workers.begin(), workers.end(),
      [&](const WorkerEntry& worker) { return worker.alive && worker.block() == block; });
  if (incarnations != workers.end()) {
    const std::string& worker = needs_.members.worker(incarnations->slot).name;
    return Error{name + " belongs to " + worker +
                 ", which is alive and answers; repair its links, or: kill " + worker};
  }
  if (!needs_.records.drop(block)) {
    return Error{
        "no worker has taken over " + name +
        ", so its migrations are already resolved; perigee-ctl in-doubt lists the in-doubt ones"};
  }
  return Ok{};
}

}  // namespace perigee::directory
