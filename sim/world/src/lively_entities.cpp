#include "perigee/world/lively_entities.hpp"

#include <algorithm>

namespace perigee::world {
namespace {

constexpr std::size_t spare_motions_max = 1024;  // 10 MB

}  // namespace

void LivelyEntities::index(Tick tick) {
  needs_.grid.begin(tick);
  file_doors();
  std::erase_if(lively_, [&](EntityRecord* r) {
    if (r->is(EntityKind::Timeline)) {
      r->log.forget_finished(r->type->travel, needs_.now - timeline_look_back_ticks);
    }
    if (comes_to_rest(*r, tick)) {
      settle(*r, tick);
    } else if (needs_.motions.goes_rounds(*r)) {
      file_rounds(*r);
    }
    return !r->lively;
  });
  file_lively(tick);
  forget_old_motions(tick);
}

void LivelyEntities::look_back(Tick tick) {
  needs_.grid.begin(tick);
  file_lively(tick);
}

void LivelyEntities::file_lively(Tick tick) {
  for (const EntityRecord* r : lively_) {
    const auto bounds = needs_.motions.bounds_over(*r, tick);
    if (bounds) needs_.grid.add(*r, *bounds);
  }
}

/// Whether the entity has the same place at both ends of the tick, and only an announcement, a call
/// or a hit can move it.
bool LivelyEntities::comes_to_rest(const EntityRecord& r, Tick tick) const {
  switch (r.type->kind) {
    case EntityKind::Static:
      return true;
    case EntityKind::Timeline:
      return needs_.motions.parent_rests(r) && settled(r.type->travel, r.log, tick);
    case EntityKind::Body: {
      const bool sent_so = r.entity.remote && r.received_any && r.received.origin().rests();
      const bool asleep = !r.entity.remote && r.body != no_body && !needs_.physics.awake(r.body);
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
void LivelyEntities::file_doors() {
  needs_.grid.clear_carried_doors();
  for (EntityRecord* r : lively_) {
    if (!r->is(EntityKind::Timeline) || r->type->travel.endless || r->door_entry) continue;
    if (needs_.motions.parent_rests(*r)) {
      needs_.grid.add_door(*r, needs_.motions.path_bounds(*r));
    } else {
      needs_.grid.add_carried_door(*r);
    }
  }
}

void LivelyEntities::keep(EntityRecord& r, const Bounds& bounds) {
  r.lively = false;
  needs_.news.note_touched(r.entity.handle);
  needs_.grid.keep(r, bounds);
}

void LivelyEntities::settle(EntityRecord& r, Tick since) {
  const Motion at =
      r.is(EntityKind::Body) && !r.motions ? r.start : *needs_.motions.motion(r, since);
  const Bounds bounds = transformed(at.pose, r.type->shape->bounds());
  r.still = {since, at, bounds};
  if (!r.is(EntityKind::Static)) settled_.emplace_back(since, r.entity.handle);
  keep(r, bounds);
}

void LivelyEntities::file_rounds(EntityRecord& r) {
  r.rounds = needs_.motions.path_bounds(r);
  keep(r, *r.rounds);
}

/// Drops the motions from before an entity came to rest, once no look-up needs them.
void LivelyEntities::forget_old_motions(Tick tick) {
  constexpr std::int32_t all = timeline_look_back_ticks;
  static_assert(all >= static_cast<std::int32_t>(history_ticks));
  for (; !settled_.empty() && ticks_between(settled_.front().first, tick) > all;
       settled_.pop_front()) {
    EntityRecord* r = needs_.entities.find(settled_.front().second);
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

std::unique_ptr<EntityRecord::Motions> LivelyEntities::fresh_motions() {
  if (spare_motions_.empty()) return std::make_unique<EntityRecord::Motions>();
  auto out = std::move(spare_motions_.back());
  spare_motions_.pop_back();
  out->clear();
  return out;
}

void LivelyEntities::unkeep(EntityRecord& r) {
  if (r.still || r.rounds) needs_.grid.unkeep(r);
}

void LivelyEntities::rouse(EntityRecord& r) {
  if (!r.still) return;
  unkeep(r);
  if (needs_.grid.valid()) needs_.grid.add(r, r.still->bounds);  // until the next tick is filed
  if (r.is(EntityKind::Body)) {
    if (!r.motions) r.motions = fresh_motions();
    constexpr auto all = static_cast<std::int32_t>(history_ticks) - 1;
    const Tick now = needs_.now;
    const Tick from = r.still->since ? later_of(*r.still->since, now - all) : now - all;
    for (Tick t = from; not_after(t, now); ++t) r.motions->claim(t) = r.still->at;
  }
  r.still.reset();
  enliven(r);
}

void LivelyEntities::enliven(EntityRecord& r) {
  if (!std::exchange(r.lively, true)) insert_in_id_order(lively_, &r);
}

void LivelyEntities::remove(EntityRecord& gone) {
  unkeep(gone);
  needs_.grid.remove_door(gone);
  if (gone.lively) std::erase(lively_, &gone);
}

}  // namespace perigee::world
