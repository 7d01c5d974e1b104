#include "perigee/directory/region_map.hpp"

#include <algorithm>

#include "perigee/base/assert.hpp"

namespace perigee::directory {

std::vector<RegionEntry> drawn(const WorldBox& world, const Space& space) {
  std::vector<RegionEntry> out;
  const CellBox& cells = space.world();
  const auto face = [&](Axis axis, const CellBox& box, bool high) {
    const auto i = static_cast<std::size_t>(axis);
    const std::int32_t cell = high ? box.high[i] : box.low[i];
    const Vec3& edge = high ? world.high : world.low;
    if (cell != (high ? cells.high[i] : cells.low[i])) return cell * cell_m;
    return axis == Axis::X ? edge.x : axis == Axis::Y ? edge.y : edge.z;
  };
  for (const Leaf& leaf : space.leaves()) {
    RegionEntry region{.region = leaf.region};
    region.low = {face(Axis::X, leaf.box, false), face(Axis::Y, leaf.box, false),
                  face(Axis::Z, leaf.box, false)};
    region.high = {face(Axis::X, leaf.box, true), face(Axis::Y, leaf.box, true),
                   face(Axis::Z, leaf.box, true)};
    out.push_back(region);
  }
  std::sort(out.begin(), out.end(),
            [](const RegionEntry& a, const RegionEntry& b) { return a.region < b.region; });
  return out;
}

void RegionMap::draw() {
  std::vector<RegionEntry> regions = drawn(needs_.world, space_);
  for (RegionEntry& region : regions) {
    const RegionEntry* known = find(region.region);
    if (known == nullptr) continue;
    const Vec3 low = region.low, high = region.high;
    region = *known;
    region.low = low;
    region.high = high;
  }
  needs_.entries = std::move(regions);
}

void RegionMap::note_restored() {
  for (const RegionEntry& region : needs_.entries) note_change(region.region, std::nullopt);
}

void RegionMap::note_change(RegionId region, std::optional<Micros> moved_us) {
  ++needs_.version;
  last_changes_[region] = {.version = needs_.version, .moved_us = moved_us};
}

RegionEntry& RegionMap::entry(RegionId region) {
  const auto found = std::find_if(needs_.entries.begin(), needs_.entries.end(),
                                  [&](const RegionEntry& each) { return each.region == region; });
  PERIGEE_ASSERT(found != needs_.entries.end(), "only regions of the map can change");
  return *found;
}

void RegionMap::assign(RegionId region, WorkerSlot owner) {
  RegionEntry& changed = entry(region);
  changed.owner = owner;
  changed.created_epoch = ++changed.epoch;
  note_change(region, std::nullopt);
}

void RegionMap::hand_over(Micros now_us, RegionId region, WorkerSlot owner) {
  RegionEntry& changed = entry(region);
  changed.owner = owner;
  ++changed.epoch;
  note_change(region, now_us);
}

void RegionMap::take_away(RegionId region) {
  RegionEntry& changed = entry(region);
  changed.owner.reset();
  ++changed.epoch;
  note_change(region, std::nullopt);
}

void RegionMap::set_from_checkpoint(RegionId region, bool so) {
  entry(region).from_checkpoint = so;
}

std::optional<RegionId> RegionMap::make(Micros now_us, const Change& change) {
  const auto sibling = space_.sibling(change.region);
  auto owner = owners();
  const auto part = apply(change, space_, owner);
  draw();
  const std::optional<Micros> moved_us = last_changes_[change.region].moved_us;
  switch (change.kind) {
    case ChangeKind::Split:
      entry(*part).owner = entry(change.region).owner;
      entry(*part).epoch = Epoch{1};  // created epoch stays 0: its content exists already
      note_change(*part, moved_us);
      note_change(change.region, moved_us);
      break;
    case ChangeKind::Merge:
      last_changes_.erase(*sibling);
      note_change(change.region, moved_us);
      break;
    case ChangeKind::Slide:
      note_change(*sibling, now_us);
      note_change(change.region, now_us);
      break;
    case ChangeKind::Move:
      hand_over(now_us, change.region, change.to);
      break;
  }
  ++changes_[static_cast<std::size_t>(change.kind)];
  return part;
}

const RegionMap::LastChange* RegionMap::last_change(RegionId region) const {
  const auto found = last_changes_.find(region);
  return found == last_changes_.end() ? nullptr : &found->second;
}

std::map<RegionId, WorkerSlot> RegionMap::owners() const {
  std::map<RegionId, WorkerSlot> out;
  for (const RegionEntry& region : needs_.entries) {
    const bool owned = region.owner && needs_.map.workers[region.owner->index()].alive;
    if (owned) out[region.region] = *region.owner;
  }
  return out;
}

std::vector<RegionId> RegionMap::owned_by(WorkerSlot slot) const {
  std::vector<RegionId> out;
  for (const RegionEntry& region : needs_.entries) {
    if (region.owner == slot) out.push_back(region.region);
  }
  return out;
}

bool RegionMap::owns_any(WorkerSlot slot) const {
  return std::any_of(needs_.entries.begin(), needs_.entries.end(),
                     [&](const RegionEntry& region) { return region.owner == slot; });
}

std::optional<WorkerSlot> RegionMap::least_loaded_worker() const {
  std::optional<WorkerSlot> best;
  std::pair<bool, std::ptrdiff_t> best_load;
  for (const WorkerEntry& worker : needs_.map.workers) {
    if (!worker.alive) continue;
    const auto count =
        std::count_if(needs_.entries.begin(), needs_.entries.end(),
                      [&](const RegionEntry& region) { return region.owner == worker.slot; });
    const std::pair load(worker.draining, count);
    if (best && load >= best_load) continue;
    best = worker.slot;
    best_load = load;
  }
  return best;
}

}  // namespace perigee::directory
