// Sliding planes between the regions of two workers to even out their load.
#include <algorithm>
#include <cmath>

#include "balance_view.hpp"

namespace perigee::directory {

struct Balancer::Shift {
  const Load* below = nullptr;
  const Load* above = nullptr;
  std::int32_t at = 0;
  double gain_ms = 0;  ///< reduction of the higher of the two loads
};

/// None: both sides have one owner, a change is under way there, or there is no gain.
auto Balancer::best_shift(const View& view, const Plane& plane) -> std::optional<Shift> {
  const auto owner_below = view.owners.find(plane.below),
             owner_above = view.owners.find(plane.above);
  if (owner_below == view.owners.end() || owner_above == view.owners.end() ||
      owner_below->second == owner_above->second || view.busy.contains(plane.below) ||
      view.busy.contains(plane.above)) {
    return std::nullopt;
  }
  const Load* below = view.of(owner_below->second);
  const Load* above = view.of(owner_above->second);
  if (below == nullptr || above == nullptr || below->draining || above->draining) {
    return std::nullopt;
  }
  const auto i = static_cast<std::size_t>(plane.axis);
  std::map<std::int32_t, double> slices;
  add_slices(slices, view.costs.at(plane.below), plane.axis);
  add_slices(slices, view.costs.at(plane.above), plane.axis);
  const double now_ms = std::max(below->ms, above->ms);
  double under_ms = below->ms - view.cost_ms.at(plane.below);
  double over_ms = above->ms + view.cost_ms.at(plane.below);
  const std::int32_t low = view.space.box_of(plane.below)->low[i];
  const std::int32_t high = view.space.box_of(plane.above)->high[i];
  Shift best{.below = below, .above = above};
  std::int32_t as_good_to = 0;  ///< from best.at on: there is no load in between
  for (std::int32_t at = low + 1; at <= high - region_cells_min; ++at) {
    if (const auto slice = slices.find(at - 1); slice != slices.end()) {
      under_ms += slice->second;
      over_ms -= slice->second;
    }
    const double gain_ms = now_ms - std::max(under_ms, over_ms);
    if (at - low < region_cells_min || gain_ms < best.gain_ms) continue;
    if (gain_ms > best.gain_ms) best.at = at;
    best.gain_ms = gain_ms;
    as_good_to = at;
  }
  best.at += (as_good_to - best.at) / 2;
  if (best.gain_ms <= 0 || best.at == plane.at) return std::nullopt;
  return best;
}

// The plane with the largest gain. The measured cost of a slice is noisy, and lower than its cost
// at another worker: a plane that reverses its direction waits.
std::optional<Change> Balancer::slide(const View& view) {
  if (view.mean_ms < settings_.idle_ms) return std::nullopt;
  std::optional<Plane> plane;
  Shift shift;
  for (const Plane& each : view.space.planes()) {
    const auto found = best_shift(view, each);
    if (!found || slid_[each.below].left > 0) continue;
    const double apart_ms = std::abs(found->below->ms - found->above->ms);
    if (apart_ms < settings_.slide_share * view.mean_ms) continue;
    if (found->gain_ms < std::max(0.2 * apart_ms, 0.02 * view.mean_ms)) continue;
    if (found->gain_ms > shift.gain_ms) plane = each, shift = *found;
  }
  if (!plane) return std::nullopt;
  Slid& slid = slid_[plane->below];
  const std::int32_t direction = shift.at < plane->at ? -1 : 1;
  slid.wait = slid.direction == -direction ? std::min(slid.wait * 2, 16) : 1;
  slid.direction = direction;
  slid.left = slid.wait + 1;
  return Change{
      .kind = ChangeKind::Slide, .region = plane->below, .axis = plane->axis, .at = shift.at};
}

std::optional<Change> Balancer::slide_from(const View& view, const Load& from) {
  std::optional<Change> best;
  double gain_ms = 0.1 * view.mean_ms;  // minimum gain that justifies the move
  for (const Plane& plane : view.space.planes()) {
    const auto shift = best_shift(view, plane);
    if (!shift || (shift->below != &from && shift->above != &from)) continue;
    if (shift->gain_ms <= gain_ms) continue;
    gain_ms = shift->gain_ms;
    best = Change{
        .kind = ChangeKind::Slide, .region = plane.below, .axis = plane.axis, .at = shift->at};
  }
  return best;
}

}  // namespace perigee::directory
