// Joints between bodies.
#include <algorithm>

#include "perigee/world/world.hpp"

namespace perigee::world {

World::Joint* World::joint(Handle a, Handle b) {
  const auto found = std::find_if(joints_.begin(), joints_.end(), [&](const Joint& joint) {
    return joint.order.a == a && joint.order.b == b;
  });
  return found == joints_.end() ? nullptr : &*found;
}

bool World::add_hinge(const HingeOrder& hinge) {
  const Record* a = entities_.find(hinge.a);
  const Record* b = entities_.find(hinge.b);
  const bool own = a != nullptr && b != nullptr && a->moves_by_physics() && b->moves_by_physics();
  if (!own || a == b || joint(hinge.a, hinge.b) != nullptr) return false;
  const bool finite = is_pose(hinge.frame_a) && is_pose(hinge.frame_b) &&
                      within({hinge.low_rad, hinge.high_rad, hinge.motor_n_m}, impulse_max_n_s);
  if (!finite) return calls_.refuse(GameValue::Hinge, *a);
  joints_.push_back({hinge});
  find_chains();
  return true;
}

bool World::drive_hinge(Handle a, Handle b, double rad_s) {
  Joint* driven = joint(a, b);
  if (driven == nullptr || driven->id == no_joint) return false;
  if (!(std::abs(rad_s) <= spin_max_rad_s)) return calls_.refuse(GameValue::HingeSpeed, a);
  driven->rad_s = rad_s;
  physics_->set_motor(driven->id, rad_s, driven->order.motor_n_m);
  return true;
}

// The engine drops the joints of a removed body. Joints with a body that is no longer this worker's
// are dropped here.
void World::drop_loose_joints() {
  const std::size_t gone = std::erase_if(joints_, [&](const Joint& joint) {
    const Record* a = entities_.find(joint.order.a);
    const Record* b = entities_.find(joint.order.b);
    if (a == nullptr || b == nullptr) return true;
    if (a->moves_by_physics() && b->moves_by_physics()) return false;
    if (joint.id != no_joint) physics_->remove_joint(joint.id);
    return true;
  });
  if (gone > 0) find_chains();
}

void World::enter_joints() {
  drop_loose_joints();
  for (Joint& joint : joints_) {
    const HingeOrder& order = joint.order;
    const BodyId a = entities_.find(order.a)->body;
    const BodyId b = entities_.find(order.b)->body;
    if (joint.id != no_joint || a == no_body || b == no_body) continue;
    joint.id = physics_->add_hinge({.a = a,
                                    .b = b,
                                    .frame_a = order.frame_a,
                                    .frame_b = order.frame_b,
                                    .low = order.low_rad,
                                    .high = order.high_rad,
                                    .motor_speed = joint.rad_s,
                                    .motor_force = order.motor_n_m});
  }
}

void World::find_chains() {
  chains_.clear();
  std::vector<const Record*> open;
  for (const Joint& joint : joints_) {
    for (const Handle end : {joint.order.a, joint.order.b}) {
      const Record* r = entities_.find(end);
      if (r != nullptr && std::find(open.begin(), open.end(), r) == open.end()) open.push_back(r);
    }
  }
  const auto by_id = [](const Record* a, const Record* b) { return a->entity.id < b->entity.id; };
  std::sort(open.begin(), open.end(), by_id);
  while (!open.empty()) {
    std::vector<const Record*> chain{open.front()};
    open.erase(open.begin());
    for (std::size_t i = 0; i < chain.size(); ++i) {  // adds the bodies joined to a found one
      const Handle at = chain[i]->entity.handle;
      for (const Joint& joint : joints_) {
        if (joint.order.a != at && joint.order.b != at) continue;
        const Record* other = entities_.find(joint.order.a == at ? joint.order.b : joint.order.a);
        const auto found = std::find(open.begin(), open.end(), other);
        if (found == open.end()) continue;
        chain.push_back(other);
        open.erase(found);
      }
    }
    std::sort(chain.begin(), chain.end(), by_id);
    std::vector<Handle>& handles = chains_.emplace_back();
    for (const Record* r : chain) handles.push_back(r->entity.handle);
  }
}

bool World::chained(Handle body) const {
  const Record* r = entities_.find(body);
  return r != nullptr && r->body != no_body && physics_->joints_of(r->body) > 0;
}

}  // namespace perigee::world
