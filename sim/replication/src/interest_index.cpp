#include "perigee/replication/interest_index.hpp"

#include <algorithm>

namespace perigee::replication {
namespace {

constexpr int near_cell_shift = 11;   // 128 m
constexpr int class_cell_shift = 13;  // 512 m
constexpr auto turns = static_cast<std::uint32_t>(send_slot_ticks);
/// More new ones at once are cheaper to find in grids: everything is rebuilt.
constexpr std::size_t recent_max = 256;

constexpr std::size_t classes_per_turn = (phase_classes + turns - 1) / turns;

}  // namespace

InterestIndex::InterestIndex(const InterestRings& rings, std::size_t points_max)
    : rings_(rings),
      near_(near_cell_shift, points_max),
      large_(class_cell_shift, points_max),
      born_(class_cell_shift, recent_max),
      scratch_(2 * classes_per_turn),
      hits_(3 * points_max + recent_max) {
  // A class holds a fifteenth of the points, but hashes may clump: reserved is what is likely.
  const std::size_t likely = points_max / phase_classes * 2 + 64;
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    moving_.emplace_back(class_cell_shift, likely);
    resting_.emplace_back(class_cell_shift, likely);
  }
  for (auto& points : scratch_) points.reserve(points_max);
  recent_.reserve(recent_max);
}

void InterestIndex::rebuild_near(std::span<const InterestPoint> points) {
  auto& small = scratch_[0];
  auto& large = scratch_[1];
  small.clear();
  large.clear();
  for (const InterestPoint& p : points) {
    if (p.phase >= phase_classes || p.resting) continue;
    (p.point.radius_m > large_radius_m ? large : small).push_back(p.point);
  }
  near_.rebuild(small);
  large_.rebuild(large);
}

void InterestIndex::rebuild_classes(std::uint32_t turn, std::span<const InterestPoint> points) {
  for (auto& list : scratch_) list.clear();
  for (const InterestPoint& p : points) {
    if (p.phase % turns != turn || p.phase >= phase_classes) continue;
    scratch_[p.phase / turns * 2 + (p.resting ? 1U : 0U)].push_back(p.point);
  }
  for (std::uint32_t h = turn; h < phase_classes; h += turns) {
    moving_[h].rebuild(scratch_[h / turns * 2]);
    resting_[h].rebuild(scratch_[h / turns * 2 + 1]);
  }
}

void InterestIndex::remember_born(Tick now, std::span<const InterestPoint> points,
                                  std::span<const std::uint32_t> born) {
  std::erase_if(recent_, [&](const auto& entry) {
    return ticks_between(entry.first, now) >= send_slot_ticks;
  });
  if (recent_.size() + born.size() > recent_max) built_ = false;
  auto& found_at_once = scratch_[0];
  found_at_once.clear();
  if (!built_) {
    recent_.clear();
  } else {
    for (const std::uint32_t i : born) recent_.emplace_back(now, points[i].point);
  }
  for (const auto& entry : recent_) found_at_once.push_back(entry.second);
  born_.rebuild(found_at_once);
}

void InterestIndex::update(Tick now, std::span<const InterestPoint> points,
                           std::span<const std::uint32_t> born) {
  remember_born(now, points, born);
  const std::uint32_t turn = now.count % turns;
  for (std::uint32_t t = 0; t < turns; ++t) {
    if (t == turn || !built_) rebuild_classes(t, points);
  }
  if (turn == 0 || !built_) rebuild_near(points);
  built_ = true;
}

GridQuery InterestIndex::query_from(const Viewpoint& view) const {
  GridQuery query{.from = view.from};
  for (std::size_t ring = 0; ring < 3; ++ring) {
    query.ring2_m2[ring] = static_cast<float>(rings_.radius_m[ring] * rings_.radius_m[ring]);
  }
  return query;
}

void InterestIndex::find(const PointGrid& grid, GridQuery& query, double within_m,
                         double beyond_m) {
  if (hits_.size() - found_ < grid.size()) hits_.resize(found_ + grid.size());
  query.within_m = static_cast<float>(within_m);
  query.beyond_m = static_cast<float>(beyond_m);
  found_ += grid.find(query, hits_.data() + found_);
}

std::span<const Hit> InterestIndex::due(Tick now, const Viewpoint& view) {
  found_ = 0;
  GridQuery query = query_from(view);
  const double near_m =
      std::min(std::max(view.near_m, rings_.radius_m[0] / view.stretch), view.radius_m);
  find(near_, query, near_m + interest_pad_m);
  find(large_, query, near_m + interest_pad_m);
  find(born_, query, view.radius_m + interest_pad_m);
  const std::uint32_t j = send_slot(now);
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    const double ring_m = due_radius_m(rings_, j, h);
    const double due_m = std::min(ring_m / view.stretch, view.radius_m);
    // What is nearer came from the fine grid: both are at most four ticks apart, half a pad.
    if (due_m > near_m) find(moving_[h], query, due_m + interest_pad_m, near_m);
    if (ring_m >= rings_.radius_m[interest_rings - 1]) {
      find(resting_[h], query, view.radius_m + interest_pad_m);
    }
  }
  return std::span(hits_).first(found_);
}

std::span<const Hit> InterestIndex::all(const Viewpoint& view) {
  found_ = 0;
  GridQuery query = query_from(view);
  find(born_, query, view.radius_m);
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    find(moving_[h], query, view.radius_m);
    find(resting_[h], query, view.radius_m);
  }
  return std::span(hits_).first(found_);
}

void InterestIndex::count_near(const GridPosition& from, double near_m,
                               std::span<std::uint32_t> bins) const {
  near_.count(from, static_cast<float>(near_m), bins);
  large_.count(from, static_cast<float>(near_m), bins);
}

}  // namespace perigee::replication
