/// A cluster around the directory's core: workers report their content and load once a second, and
/// their entities follow the map with a delay.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "perigee/directory/core.hpp"
#include "perigee/directory/handle_blocks.hpp"

namespace perigee::directory {

inline constexpr Micros model_second = 1'000'000;

class ClusterModel {
 public:
  struct Thing {
    Vec3 at;
    double ms = 0.02;
    HandleBlock block{1};  ///< handle block of its worker at creation
    WorkerSlot with;
    bool stays = false;  ///< pinned: ignores the map
  };
  struct Worker {
    std::uint64_t instance = 0;
    HandleBlock block;
    bool up = false;
    bool leaving = false;
    std::uint64_t adopted = 0;  ///< version of the map that it has adopted
  };

  explicit ClusterModel(const CoreSettings& its_settings)
      : settings(its_settings), core(std::make_unique<Core>(its_settings, 7, now_us)) {}

  static std::string name_of(std::size_t worker) { return "sim-" + std::to_string(worker); }

  bool start(std::size_t index) {
    if (index >= workers.size()) workers.resize(index + 1);
    const auto port = static_cast<std::uint16_t>(2000 + index);
    WorkerIntroduction self{name_of(index), Address::v4(10, 0, 0, 1, port),
                            Address::v4(10, 0, 0, 2, port), 1, ++instances};
    const auto admitted = core->register_worker(now_us, self);
    const Grant* grant = std::get_if<Grant>(&admitted);
    if (grant == nullptr) return false;
    EXPECT_EQ(grant->slot, index) << "as long as nobody is gone for an hour";
    for (const Worker& other : workers) {
      EXPECT_TRUE(!other.up || other.block != block_of(grant->handle_base, handles_per_worker));
    }
    workers[index] = {instances, block_of(grant->handle_base, handles_per_worker), true, false, 0};
    return true;
  }
  /// All of its content is gone.
  void kill(std::size_t index) {
    workers[index].up = false;
    std::erase_if(things, [&](const Thing& thing) { return thing.with.index() == index; });
  }
  void sign_off(std::size_t index) {
    kill(index);
    EXPECT_TRUE(core->sign_off(now_us, MemberKind::Worker, static_cast<std::uint32_t>(index),
                               name_of(index), 7, workers[index].instance));
  }
  void restart_directory() {
    Saved saved = core->saved();
    ASSERT_TRUE(Core::check(settings, saved).ok());
    core = std::make_unique<Core>(settings, std::move(saved), now_us);
  }

  /// One second: entities migrate by the map of a second ago, workers report, the map changes.
  void pass() {
    now_us += model_second;
    for (Thing& thing : things) {
      const RegionEntry* region = known.region_at(thing.at);
      if (!thing.stays && region != nullptr && region->owner &&
          workers[region->owner->index()].up) {
        thing.with = *region->owner;
      }
    }
    receive_all();
    core->advance(now_us);
  }
  /// Workers adopt the map, and report.
  void receive_all() {
    known = core->map();
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (!workers[i].up) continue;
      workers[i].adopted = known.version;
      const auto slot = static_cast<std::uint32_t>(i);
      ASSERT_TRUE(
          core->heartbeat(now_us, MemberKind::Worker, slot, name_of(i), 7, workers[i].instance));
      core->report(now_us, slot, report_of(i));
    }
  }

  WorkerReport report_of(std::size_t index) const {
    WorkerReport report{.incarnation = core->map().workers[index].incarnation,
                        .map_version = workers[index].adopted,
                        .handle_blocks = {workers[index].block},
                        .leaving = workers[index].leaving};
    if (const auto& standby = core->map().workers[index].standby) {
      report.in_sync_with =
          WorkerIncarnation{*standby, core->map().workers[standby->index()].incarnation};
    }
    CostMap cells;
    std::map<RegionId, std::uint32_t> regions;
    for (const Thing& thing : things) {
      if (thing.with.index() != index) continue;
      ++report.entities;
      report.load_ms += thing.ms;
      if (report.load_ms > 12.5) report.level = OverloadLevel::Relief;
      cells[cost_cell_at(thing.at)] += thing.ms;
      if (const RegionEntry* region = known.region_at(thing.at)) ++regions[region->region];
      auto& blocks = report.handle_blocks;
      if (std::find(blocks.begin(), blocks.end(), thing.block) == blocks.end()) {
        blocks.push_back(thing.block);
      }
    }
    report.copies_ms = report.overhead_ms = copies_ms(index);
    report.load_ms += report.copies_ms;
    for (const auto& [cell, ms] : cells) report.cells.push_back({cell, ms});
    keep_dearest(report.cells);
    for (const auto& [region, count] : regions) report.regions.push_back({region, count});
    return report;
  }
  /// Load by replicas of the workers that have this one as their standby.
  double copies_ms(std::size_t index) const {
    double out = 0;
    for (const Thing& thing : things) {
      if (core->map().workers[thing.with.index()].standby == WorkerSlot::at(index))
        out += copy_share * thing.ms;
    }
    return out;
  }
  double borne_ms(std::size_t index) const {
    double out = copies_ms(index);
    for (const Thing& thing : things) out += thing.with.index() == index ? thing.ms : 0;
    return out;
  }
  /// Load of the most loaded worker to the mean, among workers that are alive and not draining.
  double unevenness() const {
    double most = 0, sum = 0;
    int staying = 0;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (!workers[i].up || core->map().workers[i].draining) continue;
      ++staying;
      sum += borne_ms(i);
      most = std::max(most, borne_ms(i));
    }
    return sum > 0 ? most * staying / sum : 1;
  }
  std::size_t regions_of(std::size_t index) const {
    const auto& regions = core->map().regions;
    return static_cast<std::size_t>(std::count_if(
        regions.begin(), regions.end(),
        [&](const RegionEntry& region) { return region.owner == WorkerSlot::at(index); }));
  }
  std::uint64_t changes() const {
    std::uint64_t out = 0;
    for (const std::uint64_t count : core->changes()) out += count;
    return out;
  }

  CoreSettings settings;
  Micros now_us = 1000 * model_second;
  std::uint64_t instances = 0;
  std::vector<Worker> workers;
  std::vector<Thing> things;
  double copy_share = 0;  ///< load of a replica as a fraction of the entity's cost
  ClusterMap known;       ///< the map that the workers have
  std::unique_ptr<Core> core;
};

inline void pass(ClusterModel& model, int seconds) {
  for (int i = 0; i < seconds; ++i) model.pass();
}

}  // namespace perigee::directory
