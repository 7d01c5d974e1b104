#include "perigee/world/group_states.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/assert.hpp"
#include "perigee/world/group.hpp"

namespace perigee::world {
namespace {

/// The values that `find` has for the ticks of the history.
template <class Value, class Find>
std::vector<std::pair<Tick, Value>> history_of(Tick newest, Find&& find) {
  std::vector<std::pair<Tick, Value>> out;
  for (std::int32_t ago = static_cast<std::int32_t>(history_ticks) - 1; ago >= 0; --ago) {
    if (const Value* value = find(newest - ago)) out.emplace_back(newest - ago, *value);
  }
  return out;
}

/// Whether the body also lies still here. A body in contact with others arrives awake, because
/// their contacts must be found again.
bool lies_still(const EntityPast& past, const GroupPast& group) {
  if (past.motions.empty() || !past.motions.back().second.rests()) return false;
  if (past.rests) return true;
  const Pose& pose = past.motions.back().second.pose;
  return group.entities.size() == 1 && past.motions.size() == history_ticks &&
         std::all_of(past.motions.begin(), past.motions.end(), [&](const auto& motion) {
           return motion.second.rests() && motion.second.pose == pose;
         });
}

}  // namespace

EntityPast GroupStates::past_of(const EntityRecord& r) const {
  EntityPast past{.entity = r.entity};
  if (r.is(EntityKind::Body)) {
    past.motions = history_of<Motion>(
        needs_.now, [&](Tick tick) { return needs_.motions.body_motion(r, tick); });
  }
  if (r.traces) {
    past.traces =
        history_of<ActorTrace>(r.traced_at, [&](Tick tick) { return r.traces->find(tick); });
    for (const auto& [tick, trace] : past.traces) {
      const ActorTrace* drawn = r.drawn->find(tick);
      if (drawn != nullptr && *drawn != trace) past.drawn.emplace_back(tick, *drawn);
    }
  }
  past.log = r.log;
  if (r.voxels) past.cells = *r.voxels;
  if (r.state) past.state = *r.state;
  return past;
}

GroupPast GroupStates::extract(std::span<const Handle> members) const {
  GroupPast out{.now = needs_.now};
  for (const Handle handle : members) {
    const EntityRecord* r = needs_.entities.find(handle);
    PERIGEE_ASSERT(r != nullptr, "the members must exist");
    out.entities.push_back(past_of(*r));
  }
  out.hinges = needs_.joints.among(members);
  return out;
}

void GroupStates::release(std::span<const Handle> members) {
  needs_.spawner.release(members);
  needs_.joints.drop_loose();
}

void GroupStates::enter_past(EntityRecord& made, const EntityPast& past, std::int32_t late_ticks) {
  const bool stood_still = late_ticks > catch_up_ticks;
  if (made.still && !stood_still && !past.motions.empty()) {
    made.still->since = past.motions.front().first;
  }
  if (made.still) return;
  if (!past.motions.empty()) {
    const auto& [newest, last] = past.motions.back();
    if (stood_still) {
      made.motions->claim(needs_.now) = last;
    } else {
      for (const auto& [tick, motion] : past.motions) made.motions->claim(tick) = motion;
      for (std::int32_t on = 1; on <= late_ticks; ++on) {
        made.motions->claim(newest + on) = extrapolate(last, on, made.type->thrust_limit_m_s2);
      }
    }
    made.start = *made.motions->find(needs_.now);
    made.received.start(made.start, made.type->thrust_limit_m_s2);
  }
  if (past.traces.empty()) return;
  made.traces->clear();
  made.traced_at = stood_still ? needs_.now : past.traces.back().first;
  made.traces->claim(made.traced_at) = past.traces.back().second;
  if (!stood_still) {
    for (const auto& [tick, trace] : past.traces) made.traces->claim(tick) = trace;
  }
  *made.drawn = *made.traces;
  if (stood_still) return;
  for (const auto& [tick, trace] : past.drawn) made.drawn->claim(tick) = trace;
}

// Whether each id and handle occurs once, and is free here or belongs to another worker's copy of
// the same entity.
bool GroupStates::fits(const GroupPast& group) const {
  std::vector<Handle> handles;
  std::size_t known = 0;
  const Entity* before = nullptr;
  for (const EntityPast& past : group.entities) {
    const Entity& entity = past.entity;
    if (entity.type >= needs_.entities.types().size() || entity.handle == entity.parent)
      return false;
    if (before != nullptr && before->id >= entity.id) return false;
    before = &entity;
    handles.push_back(entity.handle);
    const EntityRecord* of_id = needs_.entities.find(entity.id);
    if (of_id != needs_.entities.find(entity.handle)) return false;
    if (of_id != nullptr && !of_id->entity.remote) return false;
    known += of_id != nullptr;
  }
  std::sort(handles.begin(), handles.end());
  if (std::adjacent_find(handles.begin(), handles.end()) != handles.end()) return false;
  return needs_.entities.size() - known + group.entities.size() <= needs_.entities.entities_max();
}

void GroupStates::enter(const EntityPast& past, const GroupPast& group) {
  SpawnOrder order{.id = past.entity.id,
                   .type = past.entity.type,
                   .handle = past.entity.handle,
                   .respawns = past.entity.respawns,
                   .parent = past.entity.parent,
                   .local = past.entity.local};
  if (needs_.entities.types()[order.type].kind == EntityKind::Body) order.parent = no_entity;
  if (lies_still(past, group)) {
    order.rests = true;
    order.at = past.motions.back().second.pose;
  }
  EntityRecord* made = needs_.spawner.enter(order);
  PERIGEE_ASSERT(made != nullptr, "a group that fits must be spawnable");
  made->log = past.log;
  if (past.cells) *made->voxels = *past.cells;
  if (past.state && made->state) *made->state = *past.state;
  enter_past(*made, past, ticks_between(group.now, needs_.now));
}

bool GroupStates::insert(const GroupPast& group) {
  PERIGEE_ASSERT(ticks_between(group.now, needs_.now) >= 0,
                 "a group must not arrive before its tick");
  if (!fits(group)) return false;
  for (const EntityPast& past : group.entities) release(std::array{past.entity.handle});
  for (const EntityPast& past : group.entities) enter(past, group);
  needs_.grid.invalidate();  // it does not contain them
  needs_.joints.insert(group.hinges);
  return true;
}

}  // namespace perigee::world
