/// The directory, as `services/directory/src/standby_assignment.cpp` and `failover_policy.cpp` do
/// it, and faults. Included by steps.hpp.
#pragma once

#include "steps.hpp"

namespace perigee::migration::checker {

template <const Rules& rules>
bool Steps<rules>::reports(const World& from, const Found& found) {
  for (RegionId region = 0; region < regions; ++region) {
    if (from.reports[region].empty()) continue;
    World next = from;
    const Report report = from.reports[region].front();
    next.reports[region].erase(next.reports[region].begin());
    Record& record = next.records[region];
    record.in_sync = report.in_sync_with && report.in_sync_with == record.standby;
    record.word = report.word;

    if (!found({Nature::Progress, "the directory gets a report of region", static_cast<int>(region),
                static_cast<int>(report.word)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

template <const Rules& rules>
bool Steps<rules>::standbys(const World& from, const Found& found) {
  for (RegionId region = 0; region < regions; ++region) {
    const Record& record = from.records[region];
    if (record.ended) continue;
    const auto names = [&](std::optional<WorkerId> standby) {
      World next = from;
      Record& changed = next.records[region];
      changed.standby = standby;
      changed.in_sync = false;

      return next;
    };
    if (record.standby && from.crashed[*record.standby] &&
        !found({Nature::Progress, "the directory notices the death of the standby of region",
                static_cast<int>(region)},
               names(std::nullopt))) {
      return false;
    }
    if (from.left.new_standbys == 0 || from.crashed[record.owner]) continue;
    for (WorkerId worker = 0; worker < workers; ++worker) {
      if (from.crashed[worker] || worker == record.owner || worker == record.standby) continue;
      World next = names(worker);
      --next.left.new_standbys;
      if (!found({Nature::Wish, "the directory names a standby of region", static_cast<int>(region),
                  worker},
                 std::move(next))) {
        return false;
      }
    }
  }
  return true;
}

// All workers learn of this end at once, and drop the messages of the ended owner.
template <const Rules& rules>
void Steps<rules>::end_without_successor(World& world, RegionId region) {
  world.may_be_lost = world.may_be_lost || world.had_it[region];
  Record& record = world.records[region];
  record.ended = true;
  record.standby.reset();
  record.in_sync = false;

  std::erase_if(world.owners, [&](const auto& owner) { return owner->region.id() == region; });
  std::erase_if(world.sent.edit(), [&](const auto& message) { return message.from == region; });
  world.replicas[region].reset();
  world.reports[region].clear();
  world.streams[region] = {};
}

template <const Rules& rules>
bool Steps<rules>::deaths(const World& from, const Found& found) {
  for (RegionId region = 0; region < regions; ++region) {
    const Record& record = from.records[region];
    const auto& replica = from.replicas[region];
    const bool dead = from.crashed[record.owner];
    const bool suspected = from.left.suspicions > 0 && from.left.failures > 0;
    if (record.ended || (!dead && !suspected)) continue;
    const int which = static_cast<int>(region);
    const bool in_sync = record.in_sync || !from.left.around.only_in_sync_promoted;
    if (record.standby && in_sync && !from.crashed[*record.standby]) {
      World next = from;
      const bool has_log = replica && (*replica)->worker == *record.standby &&
                           (*replica)->epoch == record.epoch && (*replica)->ledger;
      if (!has_log) next.wrong = "the successor does not have the log";
      next.records[region] = {.epoch = record.epoch + 1, .owner = *record.standby};
      next.reports[region].clear();
      if (!dead) --next.left.suspicions, --next.left.failures;
      if (!found({dead ? Nature::Progress : Nature::Failure, "the directory promotes in region",
                  which},
                 std::move(next))) {
        return false;
      }
    } else if (dead) {
      World next = from;
      end_without_successor(next, region);
      if (!found({Nature::Progress, "the directory ends region", which}, std::move(next))) {
        return false;
      }
    }
  }
  return true;
}

template <const Rules& rules>
void Steps<rules>::declare_dead(World& world, WorkerId worker) {
  const auto has_it = [](const Ledger<Traits>& ledger) {
    const auto known = ledger.groups.find(the_group);
    return known != ledger.groups.end() && known->second.place != Place::Elsewhere;
  };
  for (const auto& owner : world.owners) {
    if (owner->worker != worker) continue;
    const RegionId region = owner->region.id();
    if (world.streams[region].epoch == owner->region.epoch()) world.streams[region] = {};
    world.had_it[region] = world.had_it[region] || has_it(owner->region.ledger());
  }
  std::erase_if(world.owners, [&](const auto& owner) { return owner->worker == worker; });
  for (RegionId region = 0; region < regions; ++region) {
    auto& replica = world.replicas[region];
    if (!replica || (*replica)->worker != worker) continue;
    const auto& ledger = (*replica)->ledger;
    const bool named = world.records[region].owner == worker;  // it was about to take over
    world.had_it[region] = world.had_it[region] || (named && ledger && has_it(*ledger));
    replica.reset();
    world.streams[region] = {};
  }
}

template <const Rules& rules>
bool Steps<rules>::failures(const World& from, const Found& found) {
  if (from.left.failures == 0) return true;
  for (WorkerId worker = 0; from.left.crashes > 0 && worker < workers; ++worker) {
    if (from.crashed[worker]) continue;
    World next = from;
    next.crashed[worker] = true;
    --next.left.crashes;
    --next.left.failures;
    declare_dead(next, worker);
    if (!found({Nature::Failure, "crash of worker", worker}, std::move(next))) return false;
  }
  for (RegionId region = 0; from.left.breaks > 0 && region < regions; ++region) {
    if (!from.streams[region].whole) continue;
    World next = from;
    --next.left.breaks;
    --next.left.failures;
    next.streams[region] = {};
    if (!found({Nature::Failure, "replica stream breaks of region", static_cast<int>(region)},
               std::move(next))) {
      return false;
    }
  }
  return true;
}

}  // namespace perigee::migration::checker
