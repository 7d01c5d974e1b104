// Groups: finding, extracting, inserting.
#include "perigee/world/group.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/assert.hpp"
#include "perigee/world/frame.hpp"
#include "perigee/world/world.hpp"

namespace perigee::world {
namespace {

/// The values that `find` has for the ticks of the history.
template <class Value, class Find>
std::vector<std::pair<Tick, Value>> past_of(Tick newest, Find&& find) {
  std::vector<std::pair<Tick, Value>> out;
  for (std::int32_t ago = static_cast<std::int32_t>(World::history_ticks) - 1; ago >= 0; --ago) {
    if (const Value* value = find(newest - ago)) out.emplace_back(newest - ago, *value);
  }
  return out;
}

}  // namespace

bool World::is_fixture(const Record& r) const {
  if (!r.is(EntityKind::Timeline)) return r.is(EntityKind::Static);
  const Record* parent = entities_.find(r.entity.parent);
  return parent == nullptr || is_fixture(*parent);
}
bool World::fixtures(Handle handle) const {
  const Record* r = entities_.find(handle);
  return r != nullptr && is_fixture(*r);
}

// The whole that the fixture is part of, with all its parts. Actors on it are groups of their own.
void World::add_fixture(const Record& of, std::vector<const Record*>& out) const {
  const Record* top = &of;
  for (const Record* parent = top; parent != nullptr && !parent->entity.remote;
       parent = entities_.find(parent->entity.parent)) {
    top = parent;
  }
  out.push_back(top);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const Record* part : entities_.attached()) {
      if (part->entity.parent == out[i]->entity.handle && !part->entity.remote) out.push_back(part);
    }
  }
}

// Visits the entities that must be in one place with `member`. Other workers' actors are not bound
// to their ground.
void World::for_each_bound(const Record& member,
                           const std::function<void(const Record&)>& visit) const {
  const auto visit_handle = [&](Handle handle) {
    const Record* other = entities_.find(handle);
    if (other != nullptr && !is_fixture(*other)) visit(*other);
  };
  const Handle self = member.entity.handle;
  for (const Record* part : entities_.attached()) {
    if (part->entity.parent == self) visit(*part);
  }
  for (const Record* actor : entities_.actors()) {
    if (actor->entity.remote) continue;
    const ActorTrace* trace = actor->trace(now_);
    if (trace != nullptr && trace->parent == self) visit(*actor);
  }
  if (member.is(EntityKind::Timeline)) visit_handle(member.entity.parent);
  if (member.is(EntityKind::Actor)) {
    if (const ActorTrace* trace = member.trace(now_)) visit_handle(trace->parent);
  }
  joints_.for_each_joined(self, visit_handle);
  if (!member.is(EntityKind::Body) || member.body == no_body) return;
  std::array<BodyContact, 64> contacts;
  const std::size_t touching = physics_->contacts(member.body, contacts);
  for (std::size_t i = 0; i < std::min(touching, contacts.size()); ++i) {
    const Record* other = entities_.find(contacts[i].owner);
    if (other != nullptr && other->is(EntityKind::Body)) visit(*other);
  }
}

Group World::group_of(Handle handle) const {
  Group out;
  std::vector<const Record*> found;
  const auto add = [&](const Record& r) {
    if (std::find(found.begin(), found.end(), &r) == found.end()) found.push_back(&r);
  };
  const Record* first = entities_.find(handle);
  if (first == nullptr || first->entity.remote) return out;
  if (is_fixture(*first)) {
    add_fixture(*first, found);
    out.root = found.front()->entity.handle;
  } else {
    add(*first);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!found[i]->entity.remote) for_each_bound(*found[i], add);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; });
  const Record* root = nullptr;
  for (const Record* r : found) {
    if (r->entity.remote) {
      out.foreign.push_back(r->entity.handle);
      continue;
    }
    out.members.push_back(r->entity.handle);
    if (is_fixture(*r)) continue;  // the root of a fixture is known
    const double mass_kg = r->is(EntityKind::Body) ? r->type->mass_kg : 0;
    const double most_kg = root == nullptr              ? -1
                           : root->is(EntityKind::Body) ? root->type->mass_kg
                                                        : 0;
    if (mass_kg >= most_kg) root = r;
  }
  if (root != nullptr) out.root = root->entity.handle;
  return out;
}

bool World::touches_remote(Handle body) const {
  const Record* r = entities_.find(body);
  if (r == nullptr || !r->moves_by_physics() || r->body == no_body) return false;
  std::array<BodyContact, 64> contacts;
  const std::size_t touching = physics_->contacts(r->body, contacts);
  return std::any_of(
      contacts.begin(),
      contacts.begin() + static_cast<std::ptrdiff_t>(std::min(touching, contacts.size())),
      [&](const BodyContact& contact) {
        const Record* other = entities_.find(contact.owner);
        return other != nullptr && other->is(EntityKind::Body) && other->entity.remote;
      });
}

void World::look_through(std::size_t first, std::size_t step,
                         const std::function<void(const Entity&, bool rests)>& visit) const {
  const auto places = entities_.places();
  for (std::size_t i = first; i < places.size(); i += step) {
    const Record& r = *places[i].record;
    visit(r.entity, !r.lively);
  }
}

void World::for_each_lively(const std::function<void(const Entity&)>& visit) const {
  for (const Record* r : lively_.list()) visit(r->entity);
}

GroupPast World::extract(std::span<const Handle> members) const {
  GroupPast out{.now = now_};
  for (const Handle handle : members) {
    const Record* r = entities_.find(handle);
    PERIGEE_ASSERT(r != nullptr, "the members must exist");
    EntityPast& past = out.entities.emplace_back(EntityPast{.entity = r->entity});
    if (r->is(EntityKind::Body)) {
      past.motions =
          past_of<Motion>(now_, [&](Tick tick) { return motions_.body_motion(*r, tick); });
    }
    if (r->traces) {
      past.traces =
          past_of<ActorTrace>(r->traced_at, [&](Tick tick) { return r->traces->find(tick); });
      for (const auto& [tick, trace] : past.traces) {
        const ActorTrace* drawn = r->drawn->find(tick);
        if (drawn != nullptr && *drawn != trace) past.drawn.emplace_back(tick, *drawn);
      }
    }
    past.log = r->log;
    if (r->voxels) past.cells = *r->voxels;
  }
  out.hinges = joints_.among(members);
  return out;
}

void World::release(std::span<const Handle> members) {
  grid_.invalidate();  // it points at records
  for (const Handle handle : members) {
    Record* gone = entities_.find(handle);
    if (gone == nullptr) continue;
    leave_physics(*gone);
    unlink(handle);
  }
  joints_.drop_loose();
}

void World::make_remote(std::span<const Handle> members) {
  for (const Handle handle : members) {
    Record* r = entities_.find(handle);
    PERIGEE_ASSERT(r != nullptr, "the members must exist");
    if (r->is(EntityKind::Body)) {
      set_remote(handle, true);
    } else {
      set_whose(*r, true);
    }
  }
  joints_.drop_loose();
}

void World::make_own(std::span<const Handle> members) {
  for (const Handle handle : members) {
    Record* r = entities_.find(handle);
    PERIGEE_ASSERT(r != nullptr && r->entity.remote, "the member must be another worker's so far");
    if (!r->is(EntityKind::Body)) {
      set_whose(*r, false);
      continue;
    }
    if (r->still) {
      set_remote(handle, false);
      continue;
    }
    const bool left =
        !r->received.origin().rests() && ticks_between(r->received_at, now_) > catch_up_ticks;
    if (Motion* now = r->motions->find(now_); left && now != nullptr) {
      now->velocity = r->received.origin().velocity;
      now->angular_velocity = r->received.origin().angular_velocity;
    }
    set_remote(handle, false);
  }
}

/// Whether it also lies still here. A body in contact with others comes awake, because their
/// contacts must be found again.
bool World::lies_still(const EntityPast& past, const GroupPast& group) {
  if (past.motions.empty() || !past.motions.back().second.rests()) return false;
  if (past.rests) return true;
  const Pose& pose = past.motions.back().second.pose;
  return group.entities.size() == 1 && past.motions.size() == history_ticks &&
         std::all_of(past.motions.begin(), past.motions.end(), [&](const auto& motion) {
           return motion.second.rests() && motion.second.pose == pose;
         });
}

void World::enter_past(Record& made, const EntityPast& past, std::int32_t late_ticks) {
  const bool stood_still = late_ticks > catch_up_ticks;
  if (made.still && !stood_still && !past.motions.empty()) {
    made.still->since = past.motions.front().first;
  }
  if (made.still) return;
  if (!past.motions.empty()) {
    const auto& [newest, last] = past.motions.back();
    if (stood_still) {
      made.motions->claim(now_) = last;
    } else {
      for (const auto& [tick, motion] : past.motions) made.motions->claim(tick) = motion;
      for (std::int32_t on = 1; on <= late_ticks; ++on) {
        made.motions->claim(newest + on) = extrapolate(last, on, made.type->thrust_limit_m_s2);
      }
    }
    made.start = *made.motions->find(now_);
    made.received.start(made.start, made.type->thrust_limit_m_s2);
  }
  if (past.traces.empty()) return;
  made.traces->clear();
  made.traced_at = stood_still ? now_ : past.traces.back().first;
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
bool World::fits(const GroupPast& group) const {
  std::vector<Handle> handles;
  std::size_t known = 0;
  const Entity* before = nullptr;
  for (const EntityPast& past : group.entities) {
    const Entity& entity = past.entity;
    if (entity.type >= entities_.types().size() || entity.handle == entity.parent) return false;
    if (before != nullptr && before->id >= entity.id) return false;
    before = &entity;
    handles.push_back(entity.handle);
    const Record* of_id = entities_.find(entity.id);
    if (of_id != entities_.find(entity.handle)) return false;
    if (of_id != nullptr && !of_id->entity.remote) return false;
    known += of_id != nullptr;
  }
  std::sort(handles.begin(), handles.end());
  if (std::adjacent_find(handles.begin(), handles.end()) != handles.end()) return false;
  return entities_.size() - known + group.entities.size() <= entities_.entities_max();
}

bool World::insert(const GroupPast& group) {
  const std::int32_t late_ticks = ticks_between(group.now, now_);
  PERIGEE_ASSERT(late_ticks >= 0, "a group must not arrive before its tick");
  if (!fits(group)) return false;
  for (const EntityPast& past : group.entities) release(std::array{past.entity.handle});
  for (const EntityPast& past : group.entities) {
    SpawnOrder order{.id = past.entity.id,
                     .type = past.entity.type,
                     .handle = past.entity.handle,
                     .respawns = past.entity.respawns,
                     .parent = past.entity.parent,
                     .local = past.entity.local};
    if (entities_.types()[order.type].kind == EntityKind::Body) order.parent = no_entity;
    if (lies_still(past, group)) {
      order.rests = true;
      order.at = past.motions.back().second.pose;
    }
    const Handle spawned = enter(order);
    PERIGEE_ASSERT(spawned != no_entity, "a group that fits must be spawnable");
    Record* made = entities_.find(order.handle);
    made->log = past.log;
    if (past.cells) *made->voxels = *past.cells;
    enter_past(*made, past, late_ticks);
  }
  grid_.invalidate();  // it does not contain them
  joints_.insert(group.hinges);
  return true;
}

}  // namespace perigee::world
