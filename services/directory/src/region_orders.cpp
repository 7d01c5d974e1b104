#include "perigee/directory/region_orders.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace perigee::directory {
namespace {

std::string name_of(RegionId region) { return "region " + std::to_string(region.number); }

Axis longest_axis(const CellBox& box) {
  const auto longer = [&](Axis a, Axis b) { return box.length(a) >= box.length(b) ? a : b; };
  return longer(Axis::X, longer(Axis::Z, Axis::Y));
}

/// The plane that halves the cost; the middle if there is none.
std::int32_t halving_plane(const CostMap& costs, const CellBox& box, Axis axis) {
  const auto i = static_cast<std::size_t>(axis);
  std::map<std::int32_t, double> slices;
  double all_ms = 0;
  for (const auto& [cell, ms] : costs) {
    if (!box.contains(cell)) continue;
    slices[cell[i]] += ms;
    all_ms += ms;
  }
  std::int32_t at = box.low[i] + box.length(axis) / 2;
  double below_ms = 0;
  for (const auto& [slice, ms] : slices) {
    if (below_ms + ms / 2 >= all_ms / 2) {
      at = slice;
      break;
    }
    below_ms += ms;
  }
  if (box.length(axis) < 2 * region_cells_min) return at;  // refused later, with the reason
  return std::clamp(at, box.low[i] + region_cells_min, box.high[i] - region_cells_min);
}

}  // namespace

Result<Ok> RegionOrders::may_change(RegionId region) const {
  const RegionEntry* entry = needs_.regions.find(region);
  if (entry == nullptr) {
    return Error{"there is no " + name_of(region) + "; perigee-ctl regions lists them"};
  }
  if (!entry->owner) {
    return Error{name_of(region) + " has no owner at the moment; start a worker, or wait"};
  }
  if (!needs_.loads.acknowledged(*entry)) {
    return Error{
        name_of(region) +
        " has just changed, and its owner has not acknowledged that yet; try again in a second"};
  }
  return Ok{};
}

Result<RegionId> RegionOrders::split(Micros now_us, RegionId region, std::optional<Axis> axis,
                                     std::optional<double> at_m) {
  if (const auto may = may_change(region); !may) return may.error();
  const CellBox& box = *needs_.regions.space().box_of(region);
  const Axis along = axis.value_or(longest_axis(box));
  if (along > Axis::Z) return Error{"an axis must be x, y or z"};
  if (at_m && !(std::abs(*at_m) < cell_m * WorkerReport::cell_max)) {
    return Error{"a plane must be within the region, at a multiple of 250 m from the origin"};
  }
  const std::int32_t at = at_m ? static_cast<std::int32_t>(std::lround(*at_m / cell_m))
                               : halving_plane(needs_.loads.costs(), box, along);
  Space tried = needs_.regions.space();
  if (const auto possible = tried.split(region, along, at); !possible) return possible.error();
  return *needs_.regions.make(
      now_us, {.kind = ChangeKind::Split, .region = region, .axis = along, .at = at});
}

Result<Ok> RegionOrders::merge(Micros now_us, RegionId region) {
  if (const auto may = may_change(region); !may) return may.error();
  Space tried = needs_.regions.space();
  if (const auto possible = tried.merge(region); !possible) return possible.error();
  const RegionId sibling = *needs_.regions.space().sibling(region);
  if (const auto may = may_change(sibling); !may) return may.error();
  const WorkerSlot owner = *needs_.regions.find(region)->owner;
  if (needs_.regions.find(sibling)->owner != owner) {
    return Error{name_of(region) + " and " + name_of(sibling) +
                 " have different owners; first: move " + std::to_string(sibling.number) + " " +
                 needs_.members.worker(owner).name};
  }
  needs_.regions.make(now_us, {.kind = ChangeKind::Merge, .region = region});
  return Ok{};
}

Result<Ok> RegionOrders::move(Micros now_us, RegionId region, std::string_view worker) {
  if (const auto may = may_change(region); !may) return may.error();
  const auto to = needs_.members.living_worker(worker);
  if (!to) return to.error();
  if (needs_.map.workers[to->index()].draining) {
    return Error{std::string(worker) + " is being drained; undrain it first"};
  }
  if (needs_.regions.find(region)->owner == *to) return Ok{};
  needs_.regions.make(now_us, {.kind = ChangeKind::Move, .region = region, .to = *to});
  return Ok{};
}

}  // namespace perigee::directory
