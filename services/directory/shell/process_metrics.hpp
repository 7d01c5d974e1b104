/// The metrics of the directory's process, one row each.
#pragma once

#include <array>
#include <string_view>

#include "perigee/base/metric_table.hpp"
#include "perigee/directory/balance.hpp"

namespace perigee::directory {

inline constexpr std::array<std::string_view, enum_count<ChangeKind>> region_change_names{
    "split", "merge", "slide", "move"};

struct ProcessMetrics : MetricTable<ProcessMetrics> {
  Gauge workers = gauge({.name = "directory_workers_alive",
                         .help = "Simulation workers alive.",
                         .note = "fewer than started: see their logs"});

  Gauge gateways = gauge({.name = "directory_gateways_alive",
                          .help = "Gateways alive.",
                          .note = "as `perigee_directory_workers_alive`"});

  Gauges regions = gauges({.name = "directory_regions",
                           .label = "state",
                           .help = "Regions by state; ownerless regions are not simulated.",
                           .note = "`perigee_directory_regions{state=\"ownerless\"} > 0` for more "
                                   "than 5 s: no worker alive"});
  Gauge regions_owned = value(regions, "owned");
  Gauge regions_ownerless = value(regions, "ownerless");

  Gauge watchers = gauge({.name = "directory_watchers",
                          .help = "Open streams of the cluster map.",
                          .note = "one per gateway, worker and session"});

  Gauge handle_blocks_left = gauge(
      {.name = "directory_handle_blocks_left",
       .help = "Further starts of workers for which entity handles are left.",
       .note = "`perigee_directory_handle_blocks_left < 400`: each start of a worker takes one of "
               "4095 blocks, which is free again a minute after no worker refers to it any more. "
               "At 0 no worker can start: find the worker that restarts repeatedly, or one that "
               "has been missing for less than an hour, or plan a new world (`--new-world`)"});

  Gauge imbalance = gauge(
      {.name = "directory_imbalance_ratio",
       .help =
           "Load of the most loaded worker relative to the mean; 1 while the load is negligible.",
       .note = "`min_over_time(perigee_directory_imbalance_ratio[5m]) > 1.5`: a crowd that cannot "
               "be divided, or balance is off (`perigee-ctl regions`)"});

  Gauge time_rate =
      gauge({.name = "directory_time_rate_ratio",
             .help = "World time per real time, after the last change has taken effect.",
             .note = "below 1: world time is slowed for an overloaded worker, or by `perigee-ctl "
                     "dilate`. `avg_over_time(perigee_directory_time_rate_ratio[10m]) < 0.9`: too "
                     "many players in one place, see [time that is "
                     "slowed](operations.md#slowed-world-time). Alert `TimeSlowed`"});

  Counter rate_changes = counter({.name = "directory_rate_changes_total",
                                  .help = "Changes of the rate of world time.",
                                  .note = "`increase(perigee_directory_rate_changes_total[10m]) > "
                                          "20`: the rate oscillates; please report it"});

  Gauge overloaded = gauge(
      {.name = "directory_workers_overloaded",
       .help = "Workers overloaded even with the fewest updates of distant entities.",
       .note = "above 0 for more than 10 s: see `perigee_sim_overload_level` of each worker"});

  Gauge largest_island = gauge(
      {.name = "directory_largest_island_seconds",
       .help =
           "CPU time per tick of the largest group of entities that no split of regions divides.",
       .note = "the largest of `perigee_sim_largest_island_seconds`"});

  CounterOf<ChangeKind> region_changes = counters<ChangeKind>(
      {.name = "directory_region_changes_total",
       .label = "kind",
       .help = "Changes of regions and their owners, except after deaths.",
       .note = "`sum by (kind) (increase(perigee_directory_region_changes_total[10m]))`: many for "
               "long under an even load: raise `directory.slide_share`, and report it"},
      region_change_names);

  Gauge draining = gauge({.name = "directory_workers_draining",
                          .help = "Living workers that are being drained.",
                          .note = "above 0 for longer than a drain takes (`perigee-ctl workers`): "
                                  "the worker was not stopped or undrained afterwards"});

  Gauge entities_away =
      gauge({.name = "directory_entities_away",
             .help = "Entities in a region with another owner than the worker that has them.",
             .note = "falls within seconds of a change; the rest is near a border, or migrating"});

  Counter reports_refused = counter({.name = "directory_reports_refused_total",
                                     .help = "Reports of workers refused as implausible.",
                                     .note = "above 0: a worker of another version, or a bug"});

  Counter failovers =
      counter({.name = "directory_failovers_total",
               .help = "Failovers: incarnations of workers taken over by their standby.",
               .note = "`increase(perigee_directory_failovers_total[1h])`; workers died, "
                       "and their standbys took over",
               .former_name = "directory_workers_bequeathed_total"});

  Counter promotions_without_inputs =
      counter({.name = "directory_promotions_without_inputs_total",
               .help = "Failovers within 8 s after another one of the crash chain: pending inputs "
                       "were skipped.",
               .note = "the second death of a crash chain within 8 s; alert `WorkersDieInARow`. "
                       "[What to do](operations.md#crash-chains)",
               .former_name = "directory_careful_promotions_total"});

  Counter quarantined =
      counter({.name = "directory_incarnations_quarantined_total",
               .help = "Incarnations of workers not taken over, to end a crash chain.",
               .note = "the regions of these workers start anew; alert `LivesQuarantined`. [What "
                       "to do](operations.md#crash-chains)",
               .former_name = "directory_lives_quarantined_total"});

  Counter suspicions_refuted =
      counter({.name = "directory_suspicions_refuted_total",
               .help = "Workers suspected by their standby that did answer the directory.",
               .note = "`increase(perigee_directory_suspicions_refuted_total[1h])`; many: machines "
                       "stall, or links between workers break"});

  Counter deaths =
      counter({.name = "directory_deaths_total",
               .help = "Members considered dead: no heartbeat for more than 5 s.",
               .note = "`increase(perigee_directory_deaths_total[10m])`; each one is an incident"});

  Counter sign_offs = counter({.name = "directory_sign_offs_total",
                               .help = "Members that signed off in good order.",
                               .note = "–"});

  Counters saves =
      counters({.name = "directory_saves_total",
                .label = "result",
                .help = "Commits to the store; failed ones are retried.",
                .note = "`increase(perigee_directory_saves_total{result=\"failed\"}[5m]) > 0`: the "
                        "disk is full or read-only, or etcd refuses; the map does not change until "
                        "that is repaired. Alert `StateNotSaved`"});
  Counter saves_written = value(saves, "written");
  Counter saves_failed = value(saves, "failed");

  Gauge store_answers = gauge(
      {.name = "directory_store_answers",
       .help = "0: the store does not answer, and changes of the map wait.",
       .note =
           "0: the store does not answer, `/ready` has the reason. Alert `DirectoryStoreAway`"});

  Gauge leads = gauge(
      {.name = "directory_leads",
       .help = "1: this directory leads; one that stands by exports 0 for members and regions.",
       .note =
           "the sum over all directories is 1, except for seconds; 0: alert `NoDirectoryLeads`. "
           "Those that stand by export 0 for members and regions: use `max()`"});

  Counter terms = counter({.name = "directory_terms_total",
                           .help = "Times this directory became the leader.",
                           .note = "`increase(perigee_directory_terms_total[1h])`: leaders that "
                                   "lose and regain their lease: machines stall, or etcd is slow"});

  Counter refusals = counter(
      {.name = "directory_refusals_total",
       .help = "Registrations refused; the member's log has the reason.",
       .note = "`increase(perigee_directory_refusals_total[10m])`; for names and reasons see "
               "`perigee-ctl workers`, the directory's log, the member's log and `/ready`. Usually "
               "an [incompatible build](upgrading.md#upgrade-a-running-world)"});

  Gauge fabric_epoch = gauge(
      {.name = "directory_fabric_key_epoch",
       .help = "Number of the key with which members seal the fabric's datagrams.",
       .note = "grows by 1 per `directory.fabric_key_s`, per `perigee-ctl rotate-keys`, and after "
               "another directory has taken over. `changes(perigee_directory_fabric_key_epoch[2h]) "
               "== 0`: a member does not confirm the next key, see its log"});

  Counter fabric_key_changes =
      counter({.name = "directory_fabric_key_changes_total",
               .help = "Changes of the fabric's keys that were completed.",
               .note = "`increase(perigee_directory_fabric_key_changes_total[2h])`; the former key "
                       "is void after each of them"});

  Counter map_versions = counter(
      {.name = "directory_map_versions_total",
       .help = "Changes of the cluster map.",
       .note = "`rate(perigee_directory_map_versions_total[5m])`; many: members start and stop"});
};
inline constexpr ProcessMetrics process_metric;

}  // namespace perigee::directory
