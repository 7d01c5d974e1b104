#include "perigee/directory/balance.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::directory {

double cost_in(const CostMap& costs, const CellBox& box) {
  double out = 0;
  for (const auto& [cell, ms] : costs) {
    if (box.contains(cell)) out += ms;
  }
  return out;
}

struct Balancer::Load {
  WorkerSlot slot = 0;
  bool draining = false;
  double ms = 0;
  std::vector<Region> regions;
};

struct Balancer::View {
  View(const Space& its_space, const std::map<Region, WorkerSlot>& its_owners,
       const std::vector<WorkerShare>& workers, const CostMap& its_costs,
       const std::set<Region>& its_busy);

  const Space& space;
  const std::map<Region, WorkerSlot>& owners;
  const CostMap& costs;
  const std::set<Region>& busy;
  std::map<Region, double> cost_ms;
  std::vector<Load> loads;
  double mean_ms = 0;
  const Load* most = nullptr;  ///< of those that stay
  const Load* least = nullptr;

  const Load* of(WorkerSlot slot) const {
    const auto found = std::find_if(loads.begin(), loads.end(),
                                    [&](const Load& load) { return load.slot == slot; });
    return found == loads.end() ? nullptr : &*found;
  }
};

namespace {

/// Along the longest axis first: regions stay as round as they can.
std::array<Axis, 3> axes_by_length(const CellBox& box) {
  std::array out{Axis::X, Axis::Y, Axis::Z};
  std::stable_sort(out.begin(), out.end(),
                   [&](Axis a, Axis b) { return box.length(a) > box.length(b); });
  return out;
}

struct Cut {
  Axis axis{};
  std::int32_t at = 0;
  double above_ms = 0;
  double off_ms = 0;  ///< from what was wanted
};

/// The plane whose one side costs what is wanted, as nearly as may be.
std::optional<Cut> best_cut(const CostMap& costs, const CellBox& box, double wanted_ms) {
  std::optional<Cut> best;
  const double all_ms = cost_in(costs, box);
  for (const Axis axis : axes_by_length(box)) {
    const auto i = static_cast<std::size_t>(axis);
    std::map<std::int32_t, double> slices;
    for (const auto& [cell, ms] : costs) {
      if (box.contains(cell)) slices[cell[i]] += ms;
    }
    double below_ms = 0;
    for (std::int32_t at = box.low[i] + 1; at < box.high[i]; ++at) {
      if (const auto slice = slices.find(at - 1); slice != slices.end()) below_ms += slice->second;
      if (at - box.low[i] < region_cells_min || box.high[i] - at < region_cells_min) continue;
      const double off_ms =
          std::min(std::abs(below_ms - wanted_ms), std::abs(all_ms - below_ms - wanted_ms));
      // A later axis has to be clearly better.
      if (!best || off_ms < (best->axis == axis ? 1.0 : 0.8) * best->off_ms) {
        best = Cut{axis, at, all_ms - below_ms, off_ms};
      }
    }
  }
  return best;
}

}  // namespace

Balancer::View::View(const Space& its_space, const std::map<Region, WorkerSlot>& its_owners,
                     const std::vector<WorkerShare>& workers, const CostMap& its_costs,
                     const std::set<Region>& its_busy)
    : space(its_space), owners(its_owners), costs(its_costs), busy(its_busy) {
  for (const WorkerShare& worker : workers) loads.push_back({worker.slot, worker.draining, 0, {}});
  for (const Leaf& leaf : space.leaves()) {
    const double ms = cost_ms[leaf.region] = cost_in(costs, leaf.box);
    const auto owner = owners.find(leaf.region);
    if (owner == owners.end()) continue;
    for (Load& load : loads) {
      if (load.slot != owner->second) continue;
      load.ms += ms;
      load.regions.push_back(leaf.region);
    }
  }
  double staying = 0;
  for (const Load& load : loads) {
    mean_ms += load.ms;
    if (load.draining) continue;
    ++staying;
    if (most == nullptr || load.ms > most->ms) most = &load;
    if (least == nullptr || load.ms < least->ms) least = &load;
  }
  mean_ms /= std::max(staying, 1.0);
}

std::vector<Change> Balancer::plan(const Space& space, const std::map<Region, WorkerSlot>& owners,
                                   const std::vector<WorkerShare>& workers, const CostMap& costs,
                                   const std::set<Region>& busy) {
  std::vector<Change> out;
  Space then = space;
  auto owners_then = owners;
  auto busy_then = busy;
  for (auto& [region, slid] : slid_) slid.left = std::max(slid.left - 1, 0);
  for (std::size_t under_way = busy.size(); under_way < settings_.changes_max;) {
    const View view(then, owners_then, workers, costs, busy_then);
    if (view.most == nullptr) break;
    const auto change = next(view);
    if (!change) break;
    out.push_back(*change);
    apply(*change, then, owners_then);
    const bool only_on_paper =
        change->kind == ChangeKind::Split || change->kind == ChangeKind::Merge;
    if (only_on_paper && out.size() < 4 * settings_.changes_max) continue;
    busy_then.insert(change->region);
    ++under_way;
  }
  return out;
}

std::optional<Change> Balancer::next(const View& view) {
  if (const auto change = drain(view)) return change;
  if (const auto change = relieve(view)) return change;
  if (const auto change = slide(view)) return change;
  return merge(view);
}

// The most expensive region first: while there is most room.
std::optional<Change> Balancer::drain(const View& view) const {
  for (const Load& load : view.loads) {
    if (!load.draining) continue;
    const Region* chosen = nullptr;
    for (const Region& region : load.regions) {
      if (view.busy.contains(region)) continue;
      if (chosen == nullptr || view.cost_ms.at(region) > view.cost_ms.at(*chosen)) chosen = &region;
    }
    if (chosen != nullptr) {
      return Change{.kind = ChangeKind::Move, .region = *chosen, .to = view.least->slot};
    }
  }
  return std::nullopt;
}

// From the most to the least loaded: a region whole if one fits, else a part of one, which moves as
// soon as it is a region of its own.
std::optional<Change> Balancer::relieve(const View& view) const {
  const Load& from = *view.most;
  const Load& to = *view.least;
  const bool idler = to.regions.empty() && from.ms > 0;
  if (view.mean_ms < settings_.idle_ms && !idler) return std::nullopt;
  if (from.ms <= settings_.uneven_max * view.mean_ms && !idler) return std::nullopt;
  const double wanted_ms = std::min(from.ms - view.mean_ms, view.mean_ms - to.ms);
  const Region* whole = nullptr;
  double whole_off_ms = 0.35 * wanted_ms;
  for (const Region& region : from.regions) {
    if (view.busy.contains(region) || from.regions.size() < 2) continue;
    const double off_ms = std::abs(view.cost_ms.at(region) - wanted_ms);
    if (off_ms < whole_off_ms) whole = &region, whole_off_ms = off_ms;
  }
  if (whole != nullptr) {
    return Change{.kind = ChangeKind::Move, .region = *whole, .to = to.slot};
  }
  std::optional<Cut> best;
  Region best_region = 0;
  for (const Region& region : from.regions) {
    if (view.busy.contains(region)) continue;
    const auto cut = best_cut(view.costs, *view.space.box_of(region), wanted_ms);
    if (cut && (!best || cut->off_ms < best->off_ms)) best = cut, best_region = region;
  }
  // A cut that leaves nearly everything where it is would be made again and again.
  if (best && best->off_ms < 0.7 * wanted_ms) {
    return Change{
        .kind = ChangeKind::Split, .region = best_region, .axis = best->axis, .at = best->at};
  }
  // Nothing fits well: the largest part that does not make it worse.
  const Region* part = nullptr;
  for (const Region& region : from.regions) {
    if (view.busy.contains(region) || from.regions.size() < 2) continue;
    const double ms = view.cost_ms.at(region);
    if (ms <= 0 || to.ms + ms >= from.ms) continue;
    if (part == nullptr || ms > view.cost_ms.at(*part)) part = &region;
  }
  if (part == nullptr) return std::nullopt;
  return Change{.kind = ChangeKind::Move, .region = *part, .to = to.slot};
}

std::optional<Change> Balancer::slide(const View& view) {
  if (view.mean_ms < settings_.idle_ms) return std::nullopt;
  for (const Plane& plane : view.space.planes()) {
    const auto below_owner = view.owners.find(plane.below);
    const auto above_owner = view.owners.find(plane.above);
    if (below_owner == view.owners.end() || above_owner == view.owners.end() ||
        below_owner->second == above_owner->second || view.busy.contains(plane.below) ||
        view.busy.contains(plane.above)) {
      continue;
    }
    Slid& slid = slid_[plane.below];
    const Load* below = view.of(below_owner->second);
    const Load* above = view.of(above_owner->second);
    if (slid.left > 0 || below == nullptr || above == nullptr) continue;
    const double more_ms = below->ms - above->ms;
    const std::int32_t direction = more_ms > 0 ? -1 : 1;
    CellBox slice = *view.space.box_of(direction < 0 ? plane.below : plane.above);
    const auto i = static_cast<std::size_t>(plane.axis);
    if (slice.length(plane.axis) <= region_cells_min) continue;
    slice.low[i] = direction < 0 ? plane.at - 1 : plane.at;
    slice.high[i] = slice.low[i] + 1;
    const double moved_ms = cost_in(view.costs, slice);
    // Worth a move, and not so much that it would come back.
    if (moved_ms < 0.02 * view.mean_ms || moved_ms > 0.8 * std::abs(more_ms)) continue;
    slid.wait = slid.direction == -direction ? std::min(slid.wait * 2, 16) : 1;
    slid.direction = direction;
    slid.left = slid.wait + 1;
    return Change{.kind = ChangeKind::Slide,
                  .region = plane.below,
                  .axis = plane.axis,
                  .at = plane.at + direction};
  }
  return std::nullopt;
}

// A worker keeps two regions at least: so it can have two buddies.
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
    if (below_ms + above_ms >= settings_.merge_share * view.mean_ms) continue;
    const Load* of_below = view.of(below->second);
    const Load* of_above = view.of(above->second);
    if (of_below == nullptr || of_above == nullptr) continue;
    if (of_below == of_above && of_below->regions.size() > 2) {
      return Change{.kind = ChangeKind::Merge, .region = plane.below, .axis = plane.axis};
    }
    // Next to nothing goes to who has the other half.
    const bool below_goes = below_ms <= above_ms;
    const Load& giver = below_goes ? *of_below : *of_above;
    const Load& taker = below_goes ? *of_above : *of_below;
    if (&giver == &taker || taker.draining || giver.regions.size() <= 2 ||
        std::min(below_ms, above_ms) > 0.05 * view.mean_ms) {
      continue;
    }
    return Change{.kind = ChangeKind::Move,
                  .region = below_goes ? plane.below : plane.above,
                  .to = taker.slot};
  }
  return std::nullopt;
}

}  // namespace perigee::directory
