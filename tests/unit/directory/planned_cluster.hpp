/// A map that changes at once as a balancer plans, and crowds on it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "perigee/directory/balance.hpp"

namespace perigee::directory {

inline CellBox world() { return cells_around({-8000, -2000, -8000}, {8000, 2000, 8000}); }

/// The map as the directory changes it: at once, one plan per second.
struct Cluster {
  Space space{world()};
  std::map<RegionId, WorkerSlot> owners{{RegionId{0}, WorkerSlot{0}}};
  std::vector<WorkerShare> workers{{WorkerSlot{0}, false}};
  CostMap costs;
  Balancer balancer{BalanceSettings{}};
  int changes = 0;

  std::map<WorkerSlot, double> loads() const {
    std::map<WorkerSlot, double> out;
    for (const WorkerShare& worker : workers) {
      out[worker.slot] = worker.draining ? 0 : worker.overhead_ms;
    }
    std::map<WorkerSlot, double> own;
    for (const Leaf& leaf : space.leaves()) own[owners.at(leaf.region)] += cost_in(costs, leaf.box);
    for (const auto& [slot, ms] : own) out[slot] += ms;
    for (const WorkerShare& worker : workers) {
      if (worker.standby) out[*worker.standby] += worker.copy_share * own[worker.slot];
    }
    return out;
  }
  /// Load of the most loaded worker to the mean, among workers that are not draining.
  double unevenness() const {
    double most = 0, sum = 0;
    int staying = 0;
    for (const WorkerShare& worker : workers) {
      const double ms = loads().at(worker.slot);
      sum += ms;
      staying += !worker.draining;
      if (!worker.draining) most = std::max(most, ms);
    }
    return sum > 0 ? most * staying / sum : 1;
  }
  std::vector<Change> plan(const std::set<RegionId>& busy = {}) {
    return balancer.plan(space, owners, workers, costs, busy);
  }
  void make(const Change& change) {
    ++changes;
    if (change.kind == ChangeKind::Merge) {
      ASSERT_EQ(owners.at(*space.sibling(change.region)), owners.at(change.region));
    }
    if (change.kind == ChangeKind::Move) {
      ASSERT_NE(owners.at(change.region), change.to);
    }
    apply(change, space, owners);
  }
  /// Plans until nothing changes any more; returns the number of seconds.
  int settle(int seconds_max) {
    for (int second = 0; second < seconds_max; ++second) {
      const auto going = Balancer::drains(space, owners, workers, costs, {});
      for (const Change& change : going) make(change);
      const auto planned = plan();
      if (planned.empty() && going.empty()) return second;
      for (const Change& change : planned) make(change);
    }
    return seconds_max;
  }
};

/// `n` players around `at`, 20 us each.
inline void crowd(CostMap& costs, int n, const Vec3& at, double spread_m, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> spread(0, spread_m);
  for (int i = 0; i < n; ++i) {
    const Vec3 point{std::clamp(at.x + spread(random), -7999.0, 7999.0),
                     std::clamp(at.y + spread(random) / 8, -1999.0, 1999.0),
                     std::clamp(at.z + spread(random), -7999.0, 7999.0)};
    costs[cost_cell_at(point)] += 0.02;
  }
}

inline Cluster of(int workers, std::uint32_t seed) {
  Cluster out;
  out.workers.clear();
  for (int i = 0; i < workers; ++i) out.workers.push_back({WorkerSlot::at(i), false});
  crowd(out.costs, 2000, {0, 0, 0}, 3000, seed);
  return out;
}

}  // namespace perigee::directory
