#include "perigee/replication/interest_index.hpp"

#include <algorithm>

namespace perigee::replication {
namespace {

constexpr CellShape near_cells{10, 12};   // 64 m along x, 256 m across
constexpr CellShape class_cells{11, 14};  // 128 m along x, 1024 m across
constexpr auto turns = static_cast<std::uint32_t>(send_slot_ticks);
/// More new ones at once are cheaper to find in grids: everything is rebuilt.
constexpr std::size_t born_max = 256;
/// The near lane shrinks in steps of a tenth.
constexpr std::size_t near_steps = 10;

}  // namespace

InterestIndex::Part::Part(CellShape shape, std::size_t points_likely) : grid(shape, points_likely) {
  points.reserve(points_likely);
}

InterestIndex::InterestIndex(const InterestRings& rings, std::size_t points_max)
    : rings_(rings),
      near_(near_cells, points_max),
      large_(class_cells, points_max / 16),
      born_(class_cells, 2 * born_max),
      hits_(3 * points_max + 2 * born_max + PointGrid::slack) {
  // A class holds a fifteenth of the points, but hashes may clump: reserved is what is likely.
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    moving_.emplace_back(class_cells, points_max / phase_classes * 2 + 64);
    resting_.emplace_back(class_cells, points_max / phase_classes * 2 + 64);
  }
  born_at_.reserve(2 * born_max);
}

void InterestIndex::forget_recent() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < born_at_.size(); ++i) {
    if (ticks_between(born_at_[i], now_) >= send_slot_ticks) continue;
    born_at_[kept] = born_at_[i];
    born_.points[kept++] = born_.points[i];
  }
  born_at_.resize(kept);
  born_.points.resize(kept);
}

void InterestIndex::begin(Tick now) {
  now_ = now;
  turn_ = now.count % turns;
  forget_recent();
  near_.points.clear();
  large_.points.clear();
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    if (!is_turn(h)) continue;
    moving_[h].points.clear();
    resting_[h].points.clear();
  }
}

void InterestIndex::add(std::uint32_t phase, bool resting, bool born, const GridPoint& point) {
  if (is_turn(phase)) (resting ? resting_ : moving_)[phase].points.push_back(point);
  if (is_near_turn() && !resting) {
    (point.radius_m > large_radius_m ? large_ : near_).points.push_back(point);
  }
  if (born && !everything_) {
    born_.points.push_back(point);
    born_at_.push_back(now_);
  }
}

void InterestIndex::finish() {
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    if (!is_turn(h)) continue;
    moving_[h].rebuild();
    resting_[h].rebuild();
  }
  if (is_near_turn()) {
    near_.rebuild();
    large_.rebuild();
  }
  born_.rebuild();
  everything_ = born_.points.size() > born_max;  // from the next tick on they are in the others
}

GridQuery InterestIndex::query_from(const Viewpoint& view) const {
  GridQuery query{.from = view.from};
  for (std::size_t ring = 0; ring < 3; ++ring) {
    query.ring2_m2[ring] = static_cast<float>(rings_.radius_m[ring] * rings_.radius_m[ring]);
  }
  return query;
}

void InterestIndex::find(const Part& part, GridQuery& query, double within_m, double beyond_m) {
  const std::size_t room = found_ + part.grid.size() + PointGrid::slack;
  if (hits_.size() < room) hits_.resize(room);
  query.within_m = static_cast<float>(within_m);
  query.beyond_m = static_cast<float>(beyond_m);
  found_ += part.grid.find(query, hits_.data() + found_);
}

std::span<const Hit> InterestIndex::due(const Viewpoint& view) {
  found_ = 0;
  GridQuery query = query_from(view);
  const double near_m =
      std::min(std::max(view.near_m, rings_.radius_m[0] / view.stretch), view.radius_m);
  find(near_, query, near_m + interest_pad_m);
  find(large_, query, near_m + interest_pad_m);
  find(born_, query, view.radius_m + interest_pad_m);
  const std::uint32_t j = send_slot(now_);
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

double InterestIndex::choose_near_m(const GridPosition& from, double near_m,
                                    std::uint32_t near_max) const {
  const auto radius_m = static_cast<float>(near_m);
  if (near_.grid.candidates(from, radius_m) + large_.grid.candidates(from, radius_m) <= near_max) {
    return near_m;
  }
  std::array<std::uint32_t, near_steps> within{};
  near_.grid.count(from, radius_m, within);
  large_.grid.count(from, radius_m, within);
  std::size_t step = 0;
  while (step < within.size() && within[step] <= near_max) ++step;
  return near_m * static_cast<double>(step) / near_steps;
}

}  // namespace perigee::replication
