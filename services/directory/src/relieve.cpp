// Moving load away from the most loaded worker, or from workers that it is the standby of.
#include <algorithm>
#include <cmath>

#include "balance_view.hpp"

namespace perigee::directory {
namespace {

/// Along the longest axis first: keeps regions compact.
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
  double off_ms = 0;  ///< from the wanted cost
};

/// The plane that makes the cost of one side closest to `wanted_ms`. Neither side may be
/// negligible: such a cut would be repeated again and again.
std::optional<Cut> best_cut(const CostMap& costs, const CellBox& box, double wanted_ms) {
  std::optional<Cut> best;
  const double all_ms = cost_in(costs, box);
  for (const Axis axis : axes_by_length(box)) {
    const auto i = static_cast<std::size_t>(axis);
    std::map<std::int32_t, double> slices;
    add_slices(slices, costs, axis);
    double below_ms = 0;
    for (std::int32_t at = box.low[i] + 1; at < box.high[i]; ++at) {
      if (const auto slice = slices.find(at - 1); slice != slices.end()) below_ms += slice->second;
      if (at - box.low[i] < region_cells_min || box.high[i] - at < region_cells_min) continue;
      if (std::min(below_ms, all_ms - below_ms) < 0.05 * all_ms) continue;
      const double off_ms =
          std::min(std::abs(below_ms - wanted_ms), std::abs(all_ms - below_ms - wanted_ms));
      // A later axis must be clearly better.
      if (!best || off_ms < (best->axis == axis ? 1.0 : 0.8) * best->off_ms) {
        best = Cut{axis, at, all_ms - below_ms, off_ms};
      }
    }
  }
  return best;
}

}  // namespace

// Its standby, which holds a replica of all that it gets, is overloaded and has little of its own
// to move.
bool Balancer::burdens(const View& view, const Load& load) const {
  const Load* standby = load.standby ? view.of(*load.standby) : nullptr;
  return standby != nullptr && load.copy_share > 0 &&
         standby->ms > settings_.uneven_max * view.mean_ms &&
         standby->own_ms() < 0.5 * view.mean_ms;
}

// The least loaded worker, preferably one with a standby that is not burdened.
auto Balancer::taker(const View& view, const Load& from) const -> const Load* {
  const auto worse = [&](const Load& a, const Load& b) {
    const bool burden = burdens(view, a);
    return burden == burdens(view, b) ? b.less_than(a) : burden;
  };
  const Load* best = nullptr;
  for (const Load& load : view.loads) {
    if (load.draining || &load == &from) continue;
    if (best == nullptr || worse(*best, load)) best = &load;
  }
  return best;
}

// The most loaded worker gives load away, or the worker of which it holds the replica does. If
// neither is possible, the next overloaded worker is tried.
std::optional<Change> Balancer::relieve(const View& view) const {
  std::vector<const Load*> dear;
  for (const Load& load : view.loads) {
    const bool too_much = load.ms > settings_.uneven_max * view.mean_ms;
    if (!load.draining && (too_much || &load == view.most)) dear.push_back(&load);
  }
  std::stable_sort(dear.begin(), dear.end(),
                   [](const Load* a, const Load* b) { return a->ms > b->ms; });
  struct Gift {
    const Load& from;
    const Load& to;
  };
  std::vector<Gift> gifts;
  for (const Load* from : dear) {
    if (const Load* to = taker(view, *from)) gifts.push_back({*from, *to});
  }
  for (const auto& [from, to] : gifts) {
    if (const auto change = relieve(view, from, to)) return change;
  }
  for (const auto& [from, to] : gifts) {
    if (!to.idles_beside(from)) continue;
    if (const auto change = give_any(view, from, to)) return change;
  }
  return std::nullopt;
}

std::optional<Change> Balancer::relieve(const View& view, const Load& from, const Load& to) const {
  const bool uneven =
      view.mean_ms >= settings_.idle_ms && from.ms > settings_.uneven_max * view.mean_ms;
  if (!uneven && !to.idles_beside(from)) return std::nullopt;
  const double wanted_ms = std::min(from.ms - view.mean_ms, view.mean_ms - to.ms);
  if (const auto change = give(view, from, to, wanted_ms)) return change;
  if (const auto change = slide_from(view, from)) return change;
  if (const auto change = give_what_fits(view, from, to)) return change;
  return lighten_copy(view, from);
}

// Pinned load that belongs to other workers may be so large that a worker must give away other
// load. That load does not go to the workers that own the regions of the pinned load: they would
// have both once the pinned load migrates.
std::optional<Change> Balancer::balance_around_pinned_load(const View& view) const {
  if (view.mean_ms < settings_.idle_ms) return std::nullopt;
  const auto dearest =
      std::max_element(view.loads.begin(), view.loads.end(), [](const Load& a, const Load& b) {
        return std::pair(!a.draining, a.borne_ms()) < std::pair(!b.draining, b.borne_ms());
      });
  const double over_ms = dearest->borne_ms() - view.mean_ms;
  if (dearest->draining || over_ms <= (settings_.uneven_max - 1) * view.mean_ms)
    return std::nullopt;
  const Load* to = taker(view, *dearest);
  if (to == nullptr || dearest->pinned_ms.contains(to->slot)) return std::nullopt;
  return give_if_worth_it(view, *dearest, *to, std::min(over_ms, view.mean_ms - to->borne_ms()));
}

std::optional<Change> Balancer::give_if_worth_it(const View& view, const Load& from, const Load& to,
                                                 double wanted_ms) {
  if (wanted_ms < 0.1 * view.mean_ms) return std::nullopt;
  return give(view, from, to, wanted_ms);
}

// A whole region if one fits; otherwise a part of one, which moves once it is a region of its own.
std::optional<Change> Balancer::give(const View& view, const Load& from, const Load& to,
                                     double wanted_ms) {
  const RegionId* whole = nullptr;
  double whole_off_ms = 0.35 * wanted_ms;
  for (const RegionId& region : from.regions) {
    if (view.busy.contains(region) || from.regions.size() < 2) continue;
    const double off_ms = std::abs(view.cost_ms.at(region) - wanted_ms);
    if (off_ms < whole_off_ms) whole = &region, whole_off_ms = off_ms;
  }
  if (whole != nullptr) {
    return Change{.kind = ChangeKind::Move, .region = *whole, .to = to.slot};
  }
  std::optional<Cut> best;
  RegionId best_region;
  const bool room = view.space.size() < regions_max;
  for (const RegionId& region : from.regions) {
    if (!room || view.busy.contains(region)) continue;
    const auto cut = best_cut(view.costs.at(region), *view.space.box_of(region), wanted_ms);
    if (cut && (!best || cut->off_ms < best->off_ms)) best = cut, best_region = region;
  }
  if (best && best->off_ms < 0.7 * wanted_ms) {
    return Change{
        .kind = ChangeKind::Split, .region = best_region, .axis = best->axis, .at = best->at};
  }
  return halve(view, from, wanted_ms);
}

// Nothing fits well: the largest region that does not make the imbalance worse.
std::optional<Change> Balancer::give_what_fits(const View& view, const Load& from, const Load& to) {
  const RegionId* part = nullptr;
  for (const RegionId& region : from.regions) {
    if (view.busy.contains(region) || from.regions.size() < 2) continue;
    const double ms = view.cost_ms.at(region);
    if (ms <= 0 || to.ms + ms >= from.ms) continue;
    if (part == nullptr || ms > view.cost_ms.at(*part)) part = &region;
  }
  if (part == nullptr) return std::nullopt;
  return Change{.kind = ChangeKind::Move, .region = *part, .to = to.slot};
}

// `bearer` has nothing more to give but bears the standby replica of another worker: that worker
// gives load to one with another standby.
std::optional<Change> Balancer::lighten_copy(const View& view, const Load& bearer) const {
  const Load* copied = nullptr;
  const auto copy_ms = [](const Load& of) { return of.copy_share * of.own_ms(); };
  for (const Load& load : view.loads) {
    if (load.draining || load.standby != bearer.slot) continue;
    if (copied == nullptr || copy_ms(load) > copy_ms(*copied)) copied = &load;
  }
  if (copied == nullptr || copied->copy_share <= 0) return std::nullopt;
  const Load* to = taker(view, *copied);
  if (to == nullptr || to == &bearer || to->standby == bearer.slot) return std::nullopt;
  const double over_ms = (bearer.ms - view.mean_ms) / copied->copy_share;
  return give_if_worth_it(view, *copied, *to, std::min(over_ms, view.mean_ms - to->ms));
}

// The load is concentrated in one place. An idle worker gets empty space: for future load, or for
// the load next to it once planes slide.
std::optional<Change> Balancer::give_any(const View& view, const Load& from, const Load& to) {
  const RegionId* cheapest = nullptr;
  for (const RegionId& region : from.regions) {
    if (view.busy.contains(region)) continue;
    if (cheapest == nullptr || view.cost_ms.at(region) < view.cost_ms.at(*cheapest)) {
      cheapest = &region;
    }
  }
  if (cheapest == nullptr) return std::nullopt;
  if (from.regions.size() > 1) {
    return Change{.kind = ChangeKind::Move, .region = *cheapest, .to = to.slot};
  }
  const CellBox& box = *view.space.box_of(*cheapest);
  const Axis axis = axes_by_length(box)[0];
  const std::int32_t middle = box.low[static_cast<std::size_t>(axis)] + box.length(axis) / 2;
  if (view.space.size() >= regions_max || box.length(axis) < 2 * region_cells_min) return {};
  return Change{.kind = ChangeKind::Split, .region = *cheapest, .axis = axis, .at = middle};
}

// A region is much larger than the load to move and has no fitting cut: its halves may have better
// cuts.
std::optional<Change> Balancer::halve(const View& view, const Load& from, double wanted_ms) {
  if (view.space.size() >= regions_max) return std::nullopt;
  const RegionId* largest = nullptr;
  for (const RegionId& region : from.regions) {
    if (view.busy.contains(region)) continue;
    if (largest == nullptr || view.cost_ms.at(region) > view.cost_ms.at(*largest)) {
      largest = &region;
    }
  }
  if (largest == nullptr) return std::nullopt;
  const double ms = view.cost_ms.at(*largest);
  if (ms < 1.5 * wanted_ms) return std::nullopt;
  const auto cut = best_cut(view.costs.at(*largest), *view.space.box_of(*largest), ms / 2);
  if (!cut || cut->off_ms > 0.35 * ms) return std::nullopt;
  return Change{.kind = ChangeKind::Split, .region = *largest, .axis = cut->axis, .at = cut->at};
}

}  // namespace perigee::directory
