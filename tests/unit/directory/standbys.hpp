/// Workers that report as real ones do: in sync with their standby, once a second.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "a_directory.hpp"
#include "perigee/directory/core.hpp"
#include "perigee/directory/handle_blocks.hpp"

namespace perigee::directory {

class Standbys : public testing::Test {
 protected:
  static CoreSettings settings() { return {.regions = 3, .workers = 3, .balance = false}; }
  Grant join(int i, std::uint64_t instance = 1) {
    const auto port = static_cast<std::uint16_t>(40'040 + i);
    return std::get<Grant>(
        core.register_worker(now_us, {name(i), Address::v4(127, 0, 0, 1, port),
                                      Address::v4(127, 0, 0, 1, port + 1'000), 7, instance}));
  }
  static std::string name(int i) { return "sim-" + std::to_string(i); }
  bool beat(int i) {
    const std::uint64_t instance = core.saved().workers.at(static_cast<std::size_t>(i)).instance;
    return core.heartbeat(now_us, MemberKind::Worker, static_cast<std::uint32_t>(i), name(i),
                          cluster_id, instance);
  }
  WorkerReport report_of(int i) const {
    WorkerReport report{.incarnation = core.map().workers[static_cast<std::size_t>(i)].incarnation,
                        .map_version = core.map().version,
                        .entities = 10};
    if (const auto found = things.find(i); found != things.end()) report.regions = found->second;
    const auto& standby = core.map().workers[static_cast<std::size_t>(i)].standby;
    if (standby)
      report.in_sync_with =
          WorkerIncarnation{*standby, core.map().workers[standby->index()].incarnation};
    return report;
  }
  std::map<int, std::vector<RegionThings>> things;  ///< as each worker reports them
  void pass(int seconds, const std::vector<int>& living) {
    for (int s = 0; s < seconds; ++s) {
      now_us += second;
      for (const int i : living) {
        EXPECT_TRUE(beat(i));
        core.report(now_us, static_cast<std::uint32_t>(i), report_of(i));
      }
      core.advance(now_us);
    }
  }
  void three_in_sync() {
    for (int i = 0; i < 3; ++i) join(i);
    pass(3, {0, 1, 2});
    all_in_sync();
  }
  void all_in_sync() {
    for (const WorkerEntry& each : core.map().workers) ASSERT_TRUE(each.standby_in_sync);
  }
  const WorkerEntry& worker(WorkerSlot slot) { return core.map().workers[slot.index()]; }
  const WorkerEntry& worker(std::uint8_t slot) { return worker(WorkerSlot{slot}); }
  std::vector<RegionId> regions_of(std::uint8_t slot) { return regions_of(WorkerSlot{slot}); }
  std::vector<RegionId> regions_of(WorkerSlot slot) {
    std::vector<RegionId> out;
    for (const RegionEntry& region : core.map().regions) {
      if (region.owner == slot) out.push_back(region.region);
    }
    return out;
  }
  WorkerReport suspecting(WorkerSlot slot) {
    WorkerReport report = report_of(0);
    report.suspects.push_back({slot, worker(slot).incarnation});
    return report;
  }

  Micros now_us = 1'700'000'000 * second;
  Core core{settings(), cluster_id, now_us};
};

}  // namespace perigee::directory
