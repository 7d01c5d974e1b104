#include "perigee/world/joints.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::world {
namespace {

bool holds_among(const HingeOrder& hinge, std::span<const Handle> members) {
  const auto within = [&](Handle handle) {
    return std::find(members.begin(), members.end(), handle) != members.end();
  };
  return within(hinge.a) && within(hinge.b);
}

}  // namespace

Joints::Joint* Joints::find(Handle a, Handle b) {
  const auto found = std::find_if(joints_.begin(), joints_.end(), [&](const Joint& joint) {
    return joint.order.a == a && joint.order.b == b;
  });
  return found == joints_.end() ? nullptr : &*found;
}

bool Joints::add(const HingeOrder& hinge) {
  const EntityRecord* a = needs_.entities.find(hinge.a);
  const EntityRecord* b = needs_.entities.find(hinge.b);
  const bool own = a != nullptr && b != nullptr && a->moves_by_physics() && b->moves_by_physics();
  if (!own || a == b || find(hinge.a, hinge.b) != nullptr) return false;
  const bool finite = is_pose(hinge.frame_a) && is_pose(hinge.frame_b) &&
                      within({hinge.low_rad, hinge.high_rad, hinge.motor_n_m}, impulse_max_n_s);
  if (!finite) return needs_.calls.refuse(GameValue::Hinge, *a);
  joints_.push_back({hinge});
  find_chains();
  return true;
}

bool Joints::drive(Handle a, Handle b, double rad_s) {
  Joint* driven = find(a, b);
  if (driven == nullptr || driven->id == no_joint) return false;
  if (!(std::abs(rad_s) <= spin_max_rad_s)) return needs_.calls.refuse(GameValue::HingeSpeed, a);
  driven->rad_s = rad_s;
  needs_.physics.set_motor(driven->id, rad_s, driven->order.motor_n_m);
  return true;
}

void Joints::insert(std::span<const HingeDrive> hinges) {
  for (const HingeDrive& hinge : hinges) {
    joints_.push_back({hinge.order});
    joints_.back().rad_s = hinge.rad_s;
  }
  if (!hinges.empty()) find_chains();
}

// The engine drops the joints of a removed body. Joints with a body that is no longer this worker's
// are dropped here.
void Joints::drop_loose() {
  const std::size_t gone = std::erase_if(joints_, [&](const Joint& joint) {
    const EntityRecord* a = needs_.entities.find(joint.order.a);
    const EntityRecord* b = needs_.entities.find(joint.order.b);
    if (a == nullptr || b == nullptr) return true;
    if (a->moves_by_physics() && b->moves_by_physics()) return false;
    if (joint.id != no_joint) needs_.physics.remove_joint(joint.id);
    return true;
  });
  if (gone > 0) find_chains();
}

void Joints::enter_physics() {
  drop_loose();
  for (Joint& joint : joints_) {
    const HingeOrder& order = joint.order;
    const BodyId a = needs_.entities.find(order.a)->body;
    const BodyId b = needs_.entities.find(order.b)->body;
    if (joint.id != no_joint || a == no_body || b == no_body) continue;
    joint.id = needs_.physics.add_hinge({.a = a,
                                         .b = b,
                                         .frame_a = order.frame_a,
                                         .frame_b = order.frame_b,
                                         .low = order.low_rad,
                                         .high = order.high_rad,
                                         .motor_speed = joint.rad_s,
                                         .motor_force = order.motor_n_m});
  }
}

std::vector<HingeDrive> Joints::all() const {
  std::vector<HingeDrive> out;
  out.reserve(joints_.size());
  for (const Joint& joint : joints_) out.push_back({joint.order, joint.rad_s});
  return out;
}

std::vector<HingeDrive> Joints::among(std::span<const Handle> members) const {
  std::vector<HingeDrive> out;
  for (const Joint& joint : joints_) {
    if (holds_among(joint.order, members)) out.push_back({joint.order, joint.rad_s});
  }
  return out;
}

std::size_t Joints::count_among(std::span<const Handle> members) const {
  return static_cast<std::size_t>(
      std::count_if(joints_.begin(), joints_.end(),
                    [&](const Joint& joint) { return holds_among(joint.order, members); }));
}

void Joints::find_chains() {
  chains_.clear();
  std::vector<const EntityRecord*> open;
  for (const Joint& joint : joints_) {
    for (const Handle end : {joint.order.a, joint.order.b}) {
      const EntityRecord* r = needs_.entities.find(end);
      if (r != nullptr && std::find(open.begin(), open.end(), r) == open.end()) open.push_back(r);
    }
  }
  std::sort(open.begin(), open.end(), by_entity_id);
  while (!open.empty()) {
    std::vector<const EntityRecord*> chain{open.front()};
    open.erase(open.begin());
    for (std::size_t i = 0; i < chain.size(); ++i) {  // adds the bodies joined to a found one
      for_each_joined(chain[i]->entity.handle, [&](Handle joined) {
        const auto found = std::find(open.begin(), open.end(), needs_.entities.find(joined));
        if (found == open.end()) return;
        chain.push_back(*found);
        open.erase(found);
      });
    }
    std::sort(chain.begin(), chain.end(), by_entity_id);
    std::vector<Handle>& handles = chains_.emplace_back();
    for (const EntityRecord* r : chain) handles.push_back(r->entity.handle);
  }
}

bool Joints::chained(Handle body) const {
  const EntityRecord* r = needs_.entities.find(body);
  return r != nullptr && r->body != no_body && needs_.physics.joints_of(r->body) > 0;
}

}  // namespace perigee::world
