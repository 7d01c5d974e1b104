/// The components of a directory, around a map of three regions, without a Core.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "perigee/directory/content_losses.hpp"
#include "perigee/directory/failover_policy.hpp"
#include "perigee/directory/failover_records.hpp"
#include "perigee/directory/handle_blocks.hpp"
#include "perigee/directory/membership.hpp"
#include "perigee/directory/region_loads.hpp"
#include "perigee/directory/region_map.hpp"
#include "perigee/directory/stall_detector.hpp"
#include "perigee/directory/standby_assignment.hpp"
#include "perigee/directory/uncopied_takeovers.hpp"
#include "perigee/directory/worker_reports.hpp"

namespace perigee::directory {

inline constexpr Micros one_second = 1'000'000;
inline constexpr WorldBox test_world{{-8000, -2000, -8000}, {8000, 2000, 8000}};

inline WorkerIntroduction introduction_of(int i, std::uint64_t instance = 1) {
  const auto port = static_cast<std::uint16_t>(40'040 + i);
  return {"sim-" + std::to_string(i), Address::v4(127, 0, 0, 1, port),
          Address::v4(127, 0, 0, 1, static_cast<std::uint16_t>(port + 1'000)), 7, instance};
}
inline Space three_slices() {
  return *Space::sliced(cells_around(test_world.low, test_world.high), 3);
}

/// Components before the end of incarnations: members, regions, reports, losses.
struct Components : testing::Test {
  Components() {
    map.cluster_id = 7;
    map.version = 1;
    regions.draw();
  }
  /// The worker gets handle block i + 1.
  void join(WorkerSlot i) {
    const WorkerEntry wanted{.fabric = introduction_of(i.number).fabric,
                             .handle_base = base_of(HandleBlock{i.number + 1U}, handles_per_worker),
                             .handle_count = handles_per_worker,
                             .incarnation = Incarnation{1}};
    ASSERT_EQ(std::get<std::size_t>(members.admit(now_us, introduction_of(i.number), wanted)),
              i.index());
  }
  void join(std::uint8_t i) { join(WorkerSlot{i}); }
  /// Three workers with a region each, all of which have adopted the map.
  void three_owners() {
    for (const WorkerSlot i : worker_slots(3)) {
      join(i);
      regions.assign(RegionId{i.number}, i);
    }
    for (const WorkerSlot i : worker_slots(3)) report(i, {.entities = 10});
  }
  Membership::Received beat(WorkerSlot i) {
    return members.heartbeat(now_us,
                             {MemberKind::Worker, i.number, introduction_of(i.number).name, 7, 1});
  }
  Membership::Received beat(std::uint8_t i) { return beat(WorkerSlot{i}); }
  void report(WorkerSlot i, WorkerReport report) {
    report.incarnation = map.workers[i.index()].incarnation;
    report.map_version = map.version;
    ASSERT_TRUE(reports.accept(i.number, report));
  }
  void report(std::uint8_t i, WorkerReport given) { report(WorkerSlot{i}, std::move(given)); }
  void pass(Micros us) {
    now_us += us;
    stalls.advance(now_us);
  }
  const RegionEntry& region(RegionId id) { return *regions.find(id); }
  const RegionEntry& region(std::uint32_t id) { return region(RegionId{id}); }
  /// Of the region that the worker had at first.
  const RegionEntry& region_of(WorkerSlot i) { return region(i.number); }

  Micros now_us = 1'000'000 * one_second;
  ClusterMap map;
  StallDetector stalls{now_us};
  WorkerReports reports{map};
  Membership members{{.map = map,
                      .workers = map.workers,
                      .gateways = map.gateways,
                      .version = map.version,
                      .silence_us_max = 5 * one_second,
                      .slot_rest_us = 3'600 * one_second},
                     {},
                     {}};
  RegionMap regions{
      {.map = map, .entries = map.regions, .version = map.version, .world = test_world},
      three_slices()};
  RegionLoads loads{{.map = map,
                     .regions = regions,
                     .reports = reports,
                     .arrive_us_max = 10 * one_second,
                     .idle_ms = 1}};
  ContentLosses losses{
      {.map = map, .members = members, .reports = reports, .stalls = stalls, .regions = regions}};
};

/// All of them: also standbys, and the end of incarnations.
struct FailoverComponents : Components {
  /// Three owners, each in sync with its standby.
  void three_in_sync() {
    three_owners();
    standbys.choose();
    for (const WorkerSlot i : worker_slots(3)) report_in_sync(i);
  }
  void report_in_sync(WorkerSlot i) {
    const WorkerSlot standby = *map.workers[i.index()].standby;
    report(i,
           {.entities = 10,
            .in_sync_with = WorkerIncarnation{standby, map.workers[standby.index()].incarnation}});
    standbys.note_report(i, *reports.of(i));
  }
  WorkerSlot standby_of(WorkerSlot i) { return *map.workers[i.index()].standby; }
  WorkerSlot standby_of(std::uint8_t i) { return standby_of(WorkerSlot{i}); }

  FailoverRecords records{
      {.workers = map.workers, .records = map.failover_records, .version = map.version}};
  UncopiedTakeovers uncopied;
  StandbyAssignment standbys{{.map = map,
                              .workers = map.workers,
                              .version = map.version,
                              .losses = losses,
                              .regions = regions,
                              .stalls = stalls,
                              .records = records,
                              .uncopied = uncopied,
                              .on = true}};
  FailoverPolicy failover{{.map = map,
                           .version = map.version,
                           .members = members,
                           .reports = reports,
                           .regions = regions,
                           .losses = losses,
                           .records = records,
                           .uncopied = uncopied,
                           .standbys = standbys}};
};

}  // namespace perigee::directory
