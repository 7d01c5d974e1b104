#include "perigee/replication/interest_index.hpp"

#include <algorithm>
#include <utility>

#include "perigee/base/assert.hpp"

namespace perigee::replication {
namespace {

constexpr CellShape near_cells{10, 12};   // 64 m along x, 256 m across
constexpr CellShape class_cells{11, 14};  // 128 m along x, 1024 m across
constexpr std::size_t born_likely = 256;
/// Period of sorting the fine grid, in slots: half a second, in which no entity slower than 30 m/s
/// becomes a stray.
constexpr std::uint32_t near_age_slots_max = 8;
/// The grid is also sorted when more than this share of its entities are strays.
constexpr std::size_t strays_share = 16;
constexpr std::size_t strays_min = 64;

}  // namespace

InterestIndex::Part::Part(CellShape shape, std::size_t points_likely) : grid(shape, points_likely) {
  points.reserve(points_likely);
}

InterestIndex::InterestIndex(const InterestRings& rings, std::size_t points_max,
                             std::size_t slots_max)
    : rings_(rings),
      table_(slots_max),
      near_(near_cells, points_max),
      strays_(near_cells, points_max / strays_share + strays_min),
      large_(class_cells, points_max / 16),
      came_(near_cells, born_likely),
      near_age_slots_(near_age_slots_max),
      settling_(class_cells, points_max / 16),
      born_(class_cells, born_likely),
      hits_(3 * points_max + born_likely + PointGrid::slack) {
  // A class holds a fifteenth of the points on average. Hashes may clump, so twice that number is
  // reserved.
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    moving_.emplace_back(class_cells, points_max / phase_classes * 2 + 64);
    resting_.emplace_back(class_cells, points_max / phase_classes * 2 + 64);
  }
  asked_.reserve(phase_classes);
  born_at_.reserve(born_likely);
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

void InterestIndex::ask_classes() {
  asked_.clear();
  marks_ = 0;
  for (std::uint32_t h = 0; h < phase_classes; ++h) {
    const double ring_m = due_radius_m(rings_, send_slot(now_), h);
    if (ring_m >= rings_.radius_m[2]) {
      asked_.push_back({h, ring_m});
    } else if (ring_m >= rings_.radius_m[1]) {
      marks_ |= 1U << h;
    }
  }
}

void InterestIndex::begin(Tick now) {
  now_ = now;
  ask_classes();
  forget_recent();
  if (!wants_moving()) return;
  for (Part* part : {&strays_, &large_, &came_}) part->points.clear();
}

void InterestIndex::add_apart(std::uint32_t phase, bool resting, bool created,
                              const GridPoint& point) {
  if (resting) {
    settling_.points.push_back(point);
    settling_changed_ = true;
  } else if (wants_moving()) {
    Part& part = point.radius_m > large_radius_m ? large_ : strays_;
    part.points.push_back(point);
    part.points.back().marked = (marks_ >> phase & 1U) != 0;
  }
  if (created) {
    born_.points.push_back(point);
    born_at_.push_back(now_);
  }
}

void InterestIndex::arrive(std::uint32_t phase, bool resting, GridPoint point) {
  PERIGEE_ASSERT(!wants_moving(), "arrive() only in ticks without wants_moving()");
  table_.put(phase, resting, point);
  if (resting) {
    settling_.points.push_back(point);
    settling_changed_ = rest_came_ = true;
    return;
  }
  point.marked = (marks_ >> phase & 1U) != 0;
  came_.points.push_back(point);
  is_built_[phase] = false;  // the grid of its class must include it, too
}

// The grid of a class is built when it is queried. Entities that have come to rest since then are
// in settling_.
void InterestIndex::update_resting() {
  for (const Asked& asked : asked_) {
    if (asked.ring_m < rings_.radius_m[interest_rings - 1]) continue;
    Part& part = resting_[asked.phase];
    part.points.clear();
    table_.file_resting(asked.phase, part.points);
    part.rebuild();
    settling_changed_ = true;
  }
  if (!std::exchange(settling_changed_, false)) return;
  std::erase_if(settling_.points,
                [&](const GridPoint& point) { return !table_.settles(point.slot); });
  settling_.rebuild();
}

// Few entities leave their cells within a slot: a sorted grid is refreshed in place for a while.
void InterestIndex::update_near() {
  const std::size_t strays_max = near_.grid.size() / strays_share + strays_min;
  ++near_age_slots_;
  if (near_age_slots_ >= near_age_slots_max || strays_.points.size() > strays_max) {
    near_.points.clear();
    table_.file_near(near_.points);
    near_.rebuild();
    near_age_slots_ = 0;
    strays_.points.clear();
  }
  near_.grid.refresh(PointTable::drift_steps_max,
                     [&](std::uint32_t slot) { return table_.filed(slot, marks_); });
  strays_.rebuild();
  large_.rebuild();
}

void InterestIndex::finish() {
  if (wants_moving()) {
    is_built_.fill(false);
    update_resting();
    update_near();
  } else if (rest_came_) {
    update_resting();
  }
  rest_came_ = false;
  if (came_.points.size() != came_.grid.size()) came_.rebuild();
  if (!born_.points.empty() || born_.grid.size() > 0) born_.rebuild();
}

// Built when the first observer of a slot queries it: in most slots most classes are not queried.
InterestIndex::Part& InterestIndex::moving(std::uint32_t phase) {
  Part& part = moving_[phase];
  if (!is_built_[phase]) {
    part.points.clear();
    table_.list_moving(phase, part.points);
    part.rebuild();
    is_built_[phase] = true;
  }
  return part;
}

GridQuery InterestIndex::query_from(const Viewpoint& view) const {
  GridQuery query{.from = view.from};
  for (std::size_t ring = 0; ring < 3; ++ring) {
    query.ring2_m2[ring] = static_cast<float>(rings_.radius_m[ring] * rings_.radius_m[ring]);
  }
  return query;
}

void InterestIndex::find(const Part& part, const GridQuery& query) {
  const std::size_t room = found_ + part.grid.size() + PointGrid::slack;
  if (hits_.size() < room) hits_.resize(room);
  found_ += part.grid.find(query, hits_.data() + found_);
}

void InterestIndex::find(const Part& part, GridQuery& query, double within_m, double beyond_m) {
  query.within_m = query.marked_m = static_cast<float>(within_m);
  query.beyond_m = static_cast<float>(beyond_m);
  find(part, query);
}

std::span<const Hit> InterestIndex::due(const Viewpoint& view) {
  found_ = 0;
  GridQuery query = query_from(view);
  const double near_m =
      std::min(std::max(view.near_m, rings_.radius_m[0] / view.stretch), view.radius_m);
  // One query for the near lane and the entities due in the second ring.
  const double second_m = std::min(rings_.radius_m[1] / view.stretch, view.radius_m);
  query.within_m = static_cast<float>(near_m + interest_pad_m);
  query.marked_m = static_cast<float>(std::max(near_m, second_m) + interest_pad_m);
  for (const Part* part : {&near_, &strays_, &large_, &came_}) find(*part, query);
  find(born_, query, view.radius_m + interest_pad_m);
  for (const Asked& asked : asked_) {
    // Silence says that a thing moves on as told, so each one in reach is looked at once a second.
    const bool outermost = asked.ring_m >= rings_.radius_m[interest_rings - 1];
    const double due_m =
        outermost ? view.radius_m : std::min(asked.ring_m / view.stretch, view.radius_m);
    // Nearer entities were found in the fine grid, with the same positions.
    if (due_m > near_m) find(moving(asked.phase), query, due_m + interest_pad_m, near_m);
    if (outermost) find(resting_[asked.phase], query, due_m + interest_pad_m);
  }
  return std::span(hits_).first(found_);
}

std::span<const Hit> InterestIndex::all(const Viewpoint& view) {
  due(view);
  GridQuery query = query_from(view);
  for (const Part* part : {&born_, &near_, &strays_, &large_, &came_, &settling_}) {
    find(*part, query, view.radius_m);
  }
  for (const Part& part : resting_) find(part, query, view.radius_m);
  return std::span(hits_).first(found_);
}

GridSteps InterestIndex::count_near(const GridPosition& from, double near_m) const {
  GridSteps within{};
  for (const Part* part : {&near_, &strays_, &large_}) {
    part->grid.count(from, static_cast<float>(near_m), within);
  }
  return within;
}

}  // namespace perigee::replication
