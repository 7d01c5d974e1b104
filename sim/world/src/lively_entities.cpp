// Entities at rest and on endless paths: filed once, and skipped in the following ticks.
#include <algorithm>
#include <cmath>

#include "entity_record.hpp"

namespace perigee::world {
namespace {

constexpr std::size_t spare_motions_max = 1024;  // 10 MB

}  // namespace

bool World::parent_rests(const Record& child) const {
  const Record* parent = record(child.entity.parent);
  return parent == nullptr ? child.entity.parent == no_entity : parent->is(EntityKind::Static);
}

/// Whether it has the same place at both ends of the tick, and only an announcement, a call or a
/// hit can ever move it.
bool World::comes_to_rest(const Record& r, Tick tick) const {
  switch (r.type->kind) {
    case EntityKind::Static:
      return true;
    case EntityKind::Timeline:
      return parent_rests(r) && settled(r.type->travel, r.log, tick);
    case EntityKind::Body: {
      const bool sent_so = r.entity.remote && r.received_any && r.received.origin().rests();
      const bool asleep = !r.entity.remote && r.body != no_body && !physics_->awake(r.body);
      if (!sent_so && !asleep) return false;
      const Motion* before = r.motions->find(tick);
      const Motion* after = r.motions->find(tick + 1);
      if (before == nullptr || after == nullptr) return false;
      return before->rests() && after->rests() && before->pose == after->pose;
    }
    case EntityKind::Actor:
      break;
  }
  return false;
}

/// Whether its path is endless and not on a moving carrier: then no event changes it.
bool World::goes_rounds(const Record& r) const {
  return r.is(EntityKind::Timeline) && r.type->travel.endless && parent_rests(r);
}

// Bounds of all poses of the path, from the parent, the place on it and the turn; not the smallest
// box.
Bounds World::whole_way(const Record& r) const {
  const Travel& travel = r.type->travel;
  Bounds own = r.type->shape->bounds();
  if (travel.turn_rad != 0) {
    const Vec3 corner{
        std::max(std::abs(own.low.x - travel.hinge.x), std::abs(own.high.x - travel.hinge.x)),
        std::max(std::abs(own.low.y - travel.hinge.y), std::abs(own.high.y - travel.hinge.y)),
        std::max(std::abs(own.low.z - travel.hinge.z), std::abs(own.high.z - travel.hinge.z))};
    const double reach_m = length(corner);
    own = inflated({travel.hinge, travel.hinge}, reach_m);
  }
  own = united(own, {own.low + travel.slide, own.high + travel.slide});
  const auto parent = motion_of_carrier(r.entity.parent, now_);
  const Pose rest = parent ? parent->pose * r.entity.local : r.entity.local;
  return transformed(rest, own);
}

/// Files scheduled objects with changes for the queries by distance.
void World::file_doors() {
  grid_->carried_doors.clear();
  for (Record* r : lively_) {
    if (!r->is(EntityKind::Timeline) || r->type->travel.endless || r->door_entry) continue;
    if (!parent_rests(*r)) {
      grid_->carried_doors.push_back(r);
      continue;
    }
    const Bounds way = whole_way(*r);
    const Vec3 size = way.size();
    if (std::max({size.x, size.y, size.z}) > Grid::door_cell_m) {
      r->door_entry = Grid::none;
      grid_->wide_doors.push_back(r);
    } else {
      r->door_entry = grid_->doors.add(*r, way);
    }
  }
}

void World::keep_filed(Record& r, const Bounds& bounds) {
  r.lively = false;
  touched_.push_back(r.entity.handle);
  r.cell_entry = Grid::none;
  if (!grid_->is_large(bounds)) {
    r.cell_entry = grid_->still.add(r, bounds);
    return;
  }
  auto& large = grid_->still_large;
  const auto at = std::lower_bound(
      large.begin(), large.end(), &r,
      [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  large.insert(at, &r);
}

void World::settle(Record& r, Tick since) {
  const Motion at = r.is(EntityKind::Body) && !r.motions ? r.start : *motion_of(r, since);
  const Bounds bounds = transformed(at.pose, r.type->shape->bounds());
  r.still = {since, at, bounds};
  if (!r.is(EntityKind::Static)) settled_.emplace_back(since, r.entity.handle);
  keep_filed(r, bounds);
}

void World::file_rounds(Record& r) {
  r.rounds = whole_way(r);
  keep_filed(r, *r.rounds);
}

/// Drops the motions from before an entity came to rest, once no look-up needs them.
void World::forget_old_motions(Tick tick) {
  constexpr std::int32_t all = timeline_look_back_ticks;
  static_assert(all >= static_cast<std::int32_t>(history_ticks));
  for (; !settled_.empty() && ticks_between(settled_.front().first, tick) > all;
       settled_.pop_front()) {
    Record* r = record(settled_.front().second);
    if (r == nullptr || !r->still || !r->still->since) continue;
    if (ticks_between(*r->still->since, tick) <= all) continue;  // it has moved since
    // A tick must not be compared with one that is half the counter's range away.
    r->still->since.reset();
    r->log.forget_finished(r->type->travel, tick - all);
    if (!r->motions) continue;
    auto spare = std::move(r->motions);
    if (spare_motions_.size() < spare_motions_max) spare_motions_.push_back(std::move(spare));
  }
}

auto World::fresh_motions() -> std::unique_ptr<Record::Motions> {
  if (spare_motions_.empty()) return std::make_unique<Record::Motions>();
  auto out = std::move(spare_motions_.back());
  spare_motions_.pop_back();
  out->clear();
  return out;
}

/// Removes it from the lists of filed entities. It may stay in the grid until the grid is filed
/// anew.
void World::unfile(Record& r) {
  if (!r.still && !r.rounds) return;
  if (r.cell_entry == Grid::none) {
    std::erase(grid_->still_large, &r);
  } else {
    grid_->still.remove(r.cell_entry);
  }
}

/// Called when something affects it, or will: from here on its motion is computed each tick.
void World::rouse(Record& r) {
  if (!r.still) return;
  unfile(r);
  if (grid_->valid) {  // it stays there until the next tick is filed
    if (r.cell_entry == Grid::none) {
      grid_->large.push_back({&r, r.still->bounds});
    } else {
      grid_->moving.add(r, r.still->bounds);
    }
  }
  if (r.is(EntityKind::Body)) {
    if (!r.motions) r.motions = fresh_motions();
    constexpr auto all = static_cast<std::int32_t>(history_ticks) - 1;
    const Tick from = r.still->since ? later_of(*r.still->since, now_ - all) : now_ - all;
    for (Tick t = from; not_after(t, now_); ++t) r.motions->claim(t) = r.still->at;
  }
  r.still.reset();
  enliven(r);
}

void World::enliven(Record& r) {
  if (std::exchange(r.lively, true)) return;
  const auto at = std::lower_bound(
      lively_.begin(), lively_.end(), &r,
      [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  lively_.insert(at, &r);
}

}  // namespace perigee::world
