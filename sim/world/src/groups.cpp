#include "perigee/world/groups.hpp"

#include <algorithm>
#include <array>

#include "perigee/world/group.hpp"

namespace perigee::world {
bool Groups::is_fixture(const EntityRecord& r) const {
  if (!r.is(EntityKind::Timeline)) return r.is(EntityKind::Static);
  const EntityRecord* parent = needs_.entities.find(r.entity.parent);
  return parent == nullptr || is_fixture(*parent);
}
bool Groups::is_fixture(Handle handle) const {
  const EntityRecord* r = needs_.entities.find(handle);
  return r != nullptr && is_fixture(*r);
}

// Adds the whole that the fixture is part of, with all parts. Actors on it are groups of their own.
void Groups::add_fixture(const EntityRecord& of, std::vector<const EntityRecord*>& out) const {
  const EntityRecord* top = &of;
  for (const EntityRecord* parent = top; parent != nullptr && !parent->entity.remote;
       parent = needs_.entities.find(parent->entity.parent)) {
    top = parent;
  }
  out.push_back(top);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (const EntityRecord* part : needs_.entities.attached()) {
      if (part->entity.parent == out[i]->entity.handle && !part->entity.remote) out.push_back(part);
    }
  }
}

// Visits the entities that must be in one place with `member`. Other workers' actors are not bound
// to their ground.
void Groups::for_each_bound(const EntityRecord& member, const Visit& visit) const {
  const auto visit_handle = [&](Handle handle) {
    const EntityRecord* other = needs_.entities.find(handle);
    if (other != nullptr && !is_fixture(*other)) visit(*other);
  };
  const Handle self = member.entity.handle;
  for (const EntityRecord* part : needs_.entities.attached()) {
    if (part->entity.parent == self) visit(*part);
  }
  for (const EntityRecord* actor : needs_.entities.actors()) {
    if (actor->entity.remote) continue;
    const ActorTrace* trace = actor->trace(needs_.now);
    if (trace != nullptr && trace->parent == self) visit(*actor);
  }
  if (member.is(EntityKind::Timeline)) visit_handle(member.entity.parent);
  if (member.is(EntityKind::Actor)) {
    if (const ActorTrace* trace = member.trace(needs_.now)) visit_handle(trace->parent);
  }
  needs_.joints.for_each_joined(self, visit_handle);
  if (!member.is(EntityKind::Body) || member.body == no_body) return;
  std::array<BodyContact, 64> contacts;
  const std::size_t touching = needs_.physics.contacts(member.body, contacts);
  for (std::size_t i = 0; i < std::min(touching, contacts.size()); ++i) {
    const EntityRecord* other = needs_.entities.find(contacts[i].owner);
    if (other != nullptr && other->is(EntityKind::Body)) visit(*other);
  }
}

Group Groups::group_of(Handle handle) const {
  Group out;
  std::vector<const EntityRecord*> found;
  const auto add = [&](const EntityRecord& r) {
    if (std::find(found.begin(), found.end(), &r) == found.end()) found.push_back(&r);
  };
  const EntityRecord* first = needs_.entities.find(handle);
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
  std::sort(found.begin(), found.end(), by_entity_id);
  const EntityRecord* root = nullptr;
  for (const EntityRecord* r : found) {
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

bool Groups::touches_remote(Handle body) const {
  const EntityRecord* r = needs_.entities.find(body);
  if (r == nullptr || !r->moves_by_physics() || r->body == no_body) return false;
  std::array<BodyContact, 64> contacts;
  const std::size_t touching = needs_.physics.contacts(r->body, contacts);
  return std::any_of(
      contacts.begin(),
      contacts.begin() + static_cast<std::ptrdiff_t>(std::min(touching, contacts.size())),
      [&](const BodyContact& contact) {
        const EntityRecord* other = needs_.entities.find(contact.owner);
        return other != nullptr && other->is(EntityKind::Body) && other->entity.remote;
      });
}

}  // namespace perigee::world
