/// Input of a plan: owner and cost of each region.
#pragma once

#include <algorithm>

#include "perigee/directory/balance.hpp"

namespace perigee::directory {

/// Sums the costs of the cells with the same coordinate along `axis`.
inline void add_slices(std::map<std::int32_t, double>& slices, const CostMap& costs, Axis axis) {
  for (const auto& [cell, ms] : costs) slices[cell[static_cast<std::size_t>(axis)]] += ms;
}

struct Balancer::Load {
  WorkerSlot slot;
  bool draining = false;
  double ms = 0;
  double overhead_ms = 0;  ///< part of `ms`, including standby replicas
  std::optional<WorkerSlot> standby;
  double copy_share = 0;
  std::map<WorkerSlot, double> pinned_ms;
  std::vector<RegionId> regions;

  double own_ms() const { return ms - overhead_ms; }
  /// Load with pinned load. `ms` is the load if everything were at its region's owner.
  double borne_ms() const {
    double out = ms;
    for (const auto& [owner, each_ms] : pinned_ms) out += each_ms;
    return out;
  }
  bool idles_beside(const Load& other) const { return regions.empty() && other.own_ms() > 0; }
  bool less_than(const Load& other) const {
    return std::pair(borne_ms(), regions.size()) <
           std::pair(other.borne_ms(), other.regions.size());
  }
};

struct Balancer::View {
  View(const Space& its_space, const std::map<RegionId, WorkerSlot>& its_owners,
       const std::vector<WorkerShare>& workers, const CostMap& costs,
       const std::set<RegionId>& its_busy);

  const Space& space;
  const std::map<RegionId, WorkerSlot>& owners;
  const std::set<RegionId>& busy;
  std::map<RegionId, CostMap> costs;  ///< by region
  std::map<RegionId, double> cost_ms;
  std::vector<Load> loads;
  double mean_ms = 0;
  double mean_shared_ms = 0;   ///< without overhead
  const Load* most = nullptr;  ///< most loaded worker that is not draining

  const Load* of(WorkerSlot slot) const {
    const auto found = std::find_if(loads.begin(), loads.end(),
                                    [&](const Load& load) { return load.slot == slot; });
    return found == loads.end() ? nullptr : &*found;
  }
};

}  // namespace perigee::directory
