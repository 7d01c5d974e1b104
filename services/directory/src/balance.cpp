#include "perigee/directory/balance.hpp"

#include <algorithm>

#include "balance_view.hpp"

namespace perigee::directory {

double cost_in(const CostMap& costs, const CellBox& box) {
  double out = 0;
  for (const auto& [cell, ms] : costs) {
    if (box.contains(cell)) out += ms;
  }
  return out;
}

Balancer::View::View(const Space& its_space, const std::map<RegionId, WorkerSlot>& its_owners,
                     const std::vector<WorkerShare>& workers, const CostMap& its_costs,
                     const std::set<RegionId>& its_busy)
    : space(its_space), owners(its_owners), busy(its_busy) {
  for (const WorkerShare& worker : workers) {
    // A draining worker's overhead goes away with it.
    const double overhead_ms = worker.draining ? 0 : worker.overhead_ms;
    loads.push_back({.slot = worker.slot,
                     .draining = worker.draining,
                     .ms = overhead_ms,
                     .overhead_ms = overhead_ms,
                     .standby = worker.standby,
                     .copy_share = worker.copy_share,
                     .pinned_ms = worker.pinned_ms,
                     .regions = {}});
  }
  for (const auto& [cell, ms] : its_costs) {
    if (const auto region = space.region_of(cell)) costs[*region].emplace(cell, ms);
  }
  for (const Leaf& leaf : space.leaves()) {
    double& ms = cost_ms[leaf.region];
    for (const auto& [cell, cost] : costs[leaf.region]) ms += cost;
    const auto owner = owners.find(leaf.region);
    if (owner == owners.end()) continue;
    for (Load& load : loads) {
      if (load.slot != owner->second) continue;
      load.ms += ms;
      load.regions.push_back(leaf.region);
    }
  }
  std::vector<double> own_ms;
  own_ms.reserve(loads.size());
  for (const Load& load : loads) own_ms.push_back(load.own_ms());
  for (std::size_t i = 0; i < loads.size(); ++i) {
    for (Load& standby : loads) {
      if (standby.slot != loads[i].standby || standby.draining) continue;
      standby.ms += loads[i].copy_share * own_ms[i];
      standby.overhead_ms += loads[i].copy_share * own_ms[i];
    }
  }
  double staying = 0;
  for (const Load& load : loads) {
    mean_ms += load.ms;
    mean_shared_ms += load.ms - load.overhead_ms;
    if (load.draining) continue;
    ++staying;
    if (most == nullptr || load.ms > most->ms) most = &load;
  }
  mean_ms /= std::max(staying, 1.0);
  mean_shared_ms /= std::max(staying, 1.0);
}

std::vector<Change> Balancer::plan(const Space& space, const std::map<RegionId, WorkerSlot>& owners,
                                   const std::vector<WorkerShare>& workers, const CostMap& costs,
                                   const std::set<RegionId>& busy) {
  Space then = space;
  auto owners_then = owners;
  auto busy_then = busy;
  std::vector<Change> out;
  for (auto& [region, slid] : slid_) slid.left = std::max(slid.left - 1, 0);
  for (std::size_t under_way = busy.size(); under_way < settings_.changes_max;) {
    const View view(then, owners_then, workers, costs, busy_then);
    if (view.most == nullptr) break;
    const auto change = next(view);
    if (!change) break;
    out.push_back(*change);
    const auto sibling = then.sibling(change->region);
    apply(*change, then, owners_then);
    const bool only_on_paper =
        change->kind == ChangeKind::Split || change->kind == ChangeKind::Merge;
    if (only_on_paper && out.size() < 4 * settings_.changes_max) continue;
    busy_then.insert(change->region);
    if (change->kind == ChangeKind::Slide) busy_then.insert(*sibling);
    ++under_way;
  }
  std::erase_if(slid_, [&](const auto& slid) { return then.box_of(slid.first) == nullptr; });
  return out;
}

std::optional<Change> Balancer::next(const View& view) {
  if (const auto change = relieve(view)) return change;
  if (const auto change = balance_around_pinned_load(view)) return change;
  if (const auto change = slide(view)) return change;
  return merge(view);
}

// The most expensive region first, while the takers have most room.
std::vector<Change> Balancer::drains(const Space& space,
                                     const std::map<RegionId, WorkerSlot>& owners,
                                     const std::vector<WorkerShare>& workers, const CostMap& costs,
                                     const std::set<RegionId>& busy) {
  std::vector<Change> out;
  if (std::none_of(workers.begin(), workers.end(),
                   [](const WorkerShare& worker) { return worker.draining; })) {
    return out;
  }
  View view(space, owners, workers, costs, busy);
  if (view.most == nullptr) return out;
  std::vector<std::pair<double, RegionId>> going;
  for (const Load& load : view.loads) {
    for (const RegionId region : load.regions) {
      if (load.draining && !busy.contains(region)) {
        going.emplace_back(-view.cost_ms.at(region), region);
      }
    }
  }
  std::sort(going.begin(), going.end());
  for (const auto& [minus_ms, region] : going) {
    Load* to = nullptr;
    for (Load& load : view.loads) {
      if (!load.draining && (to == nullptr || load.less_than(*to))) to = &load;
    }
    to->ms -= minus_ms;
    to->regions.push_back(region);
    out.push_back({.kind = ChangeKind::Move, .region = region, .to = to->slot});
  }
  return out;
}

// A worker keeps at least two regions.
std::optional<Change> Balancer::merge(const View& view) const {
  for (const Plane& plane : view.space.planes()) {
    const auto below = view.owners.find(plane.below);
    const auto above = view.owners.find(plane.above);
    if (below == view.owners.end() || above == view.owners.end() ||
        view.busy.contains(plane.below) || view.busy.contains(plane.above)) {
      continue;
    }
    const double below_ms = view.cost_ms.at(plane.below);
    const double above_ms = view.cost_ms.at(plane.above);
    if (below_ms + above_ms >= settings_.merge_share * view.mean_shared_ms) continue;
    const Load* of_below = view.of(below->second);
    const Load* of_above = view.of(above->second);
    if (of_below == nullptr || of_above == nullptr) continue;
    if (of_below == of_above && of_below->regions.size() > 2) {
      return Change{.kind = ChangeKind::Merge, .region = plane.below, .axis = plane.axis};
    }
    // A region of negligible cost moves to its sibling's owner.
    const bool below_goes = below_ms <= above_ms;
    const Load& giver = below_goes ? *of_below : *of_above;
    const Load& taker = below_goes ? *of_above : *of_below;
    if (&giver == &taker || taker.draining || giver.regions.size() <= 2 ||
        std::min(below_ms, above_ms) > 0.05 * view.mean_shared_ms) {
      continue;
    }
    return Change{.kind = ChangeKind::Move,
                  .region = below_goes ? plane.below : plane.above,
                  .to = taker.slot};
  }
  return std::nullopt;
}

}  // namespace perigee::directory
