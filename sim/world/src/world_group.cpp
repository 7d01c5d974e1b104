// Groups: found, taken out, put in. (mission K44, K45 decide what hangs together)
#include "perigee/world/group.hpp"

#include <algorithm>
#include <array>

#include "perigee/netcode/assert.hpp"
#include "perigee/world/frame.hpp"
#include "world_record.hpp"

namespace perigee::world {
namespace {

template <class Value, std::uint32_t n>
std::vector<std::pair<Tick, Value>> past_of(const TickRing<Value, n>& ring, Tick newest) {
  std::vector<std::pair<Tick, Value>> out;
  for (std::int32_t ago = static_cast<std::int32_t>(n) - 1; ago >= 0; --ago) {
    if (const Value* value = ring.find(newest - ago)) out.emplace_back(newest - ago, *value);
  }
  return out;
}

}  // namespace

// What belongs to one place with `member`. Statics stay where they are, with all that is theirs.
void World::for_each_bound(const Record& member,
                           const std::function<void(const Record&)>& visit) const {
  const auto visit_handle = [&](Handle handle) {
    const Record* other = record(handle);
    if (other != nullptr && !other->is(EntityKind::Static)) visit(*other);
  };
  const Handle self = member.entity.handle;
  for (const auto& r : records_) {
    if (r->is(EntityKind::Timeline) && r->entity.parent == self) visit(*r);
    if (!r->is(EntityKind::Actor)) continue;
    const ActorTrace* trace = r->trace(now_);
    if (trace != nullptr && trace->parent == self) visit(*r);
  }
  if (member.is(EntityKind::Timeline)) visit_handle(member.entity.parent);
  if (member.is(EntityKind::Actor)) {
    if (const ActorTrace* trace = member.trace(now_)) visit_handle(trace->parent);
  }
  for (const Joint& joint : joints_) {
    if (joint.order.a == self) visit_handle(joint.order.b);
    if (joint.order.b == self) visit_handle(joint.order.a);
  }
  if (!member.is(EntityKind::Body) || member.body == no_body) return;
  std::array<BodyContact, 64> contacts;
  const std::size_t touching = physics_->contacts(member.body, contacts);
  for (std::size_t i = 0; i < std::min(touching, contacts.size()); ++i) {
    const Record* other = record(contacts[i].owner);
    if (other != nullptr && other->is(EntityKind::Body)) visit(*other);
  }
}

Group World::group_of(Handle handle) const {
  Group out;
  std::vector<const Record*> found;
  const auto add = [&](const Record& r) {
    if (std::find(found.begin(), found.end(), &r) == found.end()) found.push_back(&r);
  };
  const Record* first = record(handle);
  if (first == nullptr || first->is(EntityKind::Static) || first->entity.remote) return out;
  // A door of what never moves never moves house.
  const Record* parent = first->is(EntityKind::Timeline) ? record(first->entity.parent) : nullptr;
  if (first->is(EntityKind::Timeline) && (parent == nullptr || parent->is(EntityKind::Static))) {
    return out;
  }
  add(*first);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]->entity.remote) for_each_bound(*found[i], add);
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
    const double mass_kg = r->is(EntityKind::Body) ? r->type->mass_kg : 0;
    const double most_kg = root == nullptr              ? -1
                           : root->is(EntityKind::Body) ? root->type->mass_kg
                                                        : 0;
    if (mass_kg >= most_kg) root = r;
  }
  out.root = root->entity.handle;
  return out;
}

bool World::near_ground(std::span<const Handle> members, double within_m) const {
  std::vector<Bounds> reaches;
  for (const Handle handle : members) {
    const Bounds& bounds = record(handle)->type->shape->bounds();
    if (const auto at = pose(handle, now_)) {
      reaches.push_back(inflated(transformed(*at, bounds), within_m));
    }
  }
  return std::any_of(records_.begin(), records_.end(), [&](const auto& ground) {
    if (!ground->is(EntityKind::Static)) return false;
    const Bounds bounds = transformed(ground->start.pose, ground->type->shape->bounds());
    return std::any_of(reaches.begin(), reaches.end(),
                       [&](const Bounds& reach) { return overlap(reach, bounds); });
  });
}

GroupPast World::extract(std::span<const Handle> members) const {
  GroupPast out{.now = now_};
  const auto within = [&](Handle handle) {
    return std::find(members.begin(), members.end(), handle) != members.end();
  };
  for (const Handle handle : members) {
    const Record* r = record(handle);
    PERIGEE_ASSERT(r != nullptr, "members exist");
    EntityPast& past = out.entities.emplace_back(EntityPast{.entity = r->entity});
    if (r->motions) past.motions = past_of(*r->motions, now_);
    if (r->traces) past.traces = past_of(*r->traces, r->traced_at);
    past.log = r->log;
  }
  for (const Joint& joint : joints_) {
    if (within(joint.order.a) && within(joint.order.b))
      out.hinges.push_back({joint.order, joint.rad_s});
  }
  return out;
}

void World::release(std::span<const Handle> members) {
  grid_->valid = false;  // it points at records
  for (const Handle handle : members) {
    Record* gone = record(handle);
    if (gone == nullptr) continue;
    leave_physics(*gone);
    std::erase(fields_, gone);
    std::erase(eligible_, gone);
    unlink(handle);
  }
  drop_loose_joints();
}

void World::enter_past(Record& made, const EntityPast& past, std::int32_t late_ticks) {
  const bool stood_still = late_ticks > catch_up_ticks;
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
    made.start = made.heard = *made.motions->find(now_);
  }
  if (past.traces.empty()) return;
  made.traces->clear();
  made.traced_at = stood_still ? now_ : past.traces.back().first;
  made.traces->claim(made.traced_at) = past.traces.back().second;
  if (stood_still) return;
  for (const auto& [tick, trace] : past.traces) made.traces->claim(tick) = trace;
}

bool World::insert(const GroupPast& group) {
  const std::int32_t late_ticks = ticks_between(group.now, now_);
  PERIGEE_ASSERT(late_ticks >= 0, "a group does not come before its tick");
  for (const EntityPast& past : group.entities) {
    if (past.entity.type >= types_.size() || record(past.entity.handle) != nullptr) return false;
  }
  if (records_.size() + group.entities.size() > setup_.limits.entities_max) return false;
  for (const EntityPast& past : group.entities) {
    SpawnOrder order{.id = past.entity.id,
                     .type = past.entity.type,
                     .handle = past.entity.handle,
                     .life = past.entity.life,
                     .parent = past.entity.parent,
                     .local = past.entity.local};
    if (types_[order.type].kind == EntityKind::Body) order.parent = no_entity;
    if (spawn(order) == no_entity) {  // the id is taken
      for (const EntityPast& done : group.entities) {
        if (&done == &past) break;
        release(std::array{done.entity.handle});
      }
      return false;
    }
    Record* made = record(order.handle);
    made->log = past.log;
    enter_past(*made, past, late_ticks);
  }
  grid_->valid = false;  // it does not know them
  for (const HingeDrive& hinge : group.hinges) {
    joints_.push_back({hinge.order});
    joints_.back().rad_s = hinge.rad_s;
  }
  if (!group.hinges.empty()) find_chains();
  return true;
}

}  // namespace perigee::world
