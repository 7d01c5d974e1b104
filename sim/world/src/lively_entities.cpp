// Entities at rest and on endless paths: filed once, and skipped in the following ticks.
#include <algorithm>
#include <cmath>

#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

constexpr std::size_t spare_motions_max = 1024;  // 10 MB

}  // namespace

/// Whether it has the same place at both ends of the tick, and only an announcement, a call or a
/// hit can ever move it.
bool World::comes_to_rest(const Record& r, Tick tick) const {
  switch (r.type->kind) {
    case EntityKind::Static:
      return true;
    case EntityKind::Timeline:
      return motions_.parent_rests(r) && settled(r.type->travel, r.log, tick);
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

/// Files scheduled objects with changes for the queries by distance.
void World::file_doors() {
  grid_.clear_carried_doors();
  for (Record* r : lively_) {
    if (!r->is(EntityKind::Timeline) || r->type->travel.endless || r->door_entry) continue;
    if (!motions_.parent_rests(*r)) {
      grid_.add_carried_door(*r);
      continue;
    }
    const Bounds way = motions_.path_bounds(*r);
    grid_.add_door(*r, way);
  }
}

void World::keep_filed(Record& r, const Bounds& bounds) {
  r.lively = false;
  touched_.push_back(r.entity.handle);
  grid_.keep(r, bounds);
}

void World::settle(Record& r, Tick since) {
  const Motion at = r.is(EntityKind::Body) && !r.motions ? r.start : *motions_.motion(r, since);
  const Bounds bounds = transformed(at.pose, r.type->shape->bounds());
  r.still = {since, at, bounds};
  if (!r.is(EntityKind::Static)) settled_.emplace_back(since, r.entity.handle);
  keep_filed(r, bounds);
}

void World::file_rounds(Record& r) {
  r.rounds = motions_.path_bounds(r);
  keep_filed(r, *r.rounds);
}

/// Drops the motions from before an entity came to rest, once no look-up needs them.
void World::forget_old_motions(Tick tick) {
  constexpr std::int32_t all = timeline_look_back_ticks;
  static_assert(all >= static_cast<std::int32_t>(history_ticks));
  for (; !settled_.empty() && ticks_between(settled_.front().first, tick) > all;
       settled_.pop_front()) {
    Record* r = entities_.find(settled_.front().second);
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
  if (r.still || r.rounds) grid_.unkeep(r);
}

/// Called when something affects it, or will: from here on its motion is computed each tick.
void World::rouse(Record& r) {
  if (!r.still) return;
  unfile(r);
  if (grid_.valid()) grid_.add(r, r.still->bounds);  // until the next tick is filed
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
  insert_in_id_order(lively_, &r);
}

}  // namespace perigee::world
