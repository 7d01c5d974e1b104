// Bodies of the Bullet world: added, removed, moved and woken.
#include <algorithm>

#include "bullet_convert.hpp"
#include "bullet_world.hpp"
#include "mesh_contacts.hpp"

namespace perigee::world {
namespace {

// A body that is slower than this for 2 s sleeps. Bullet's own 0.8 m/s would freeze bodies that
// drift in space.
constexpr double sleep_m_s = 0.05;
constexpr double sleep_rad_s = 0.05;
constexpr double touch_m = 0.04;       // the engine's margins of two bodies in contact
constexpr int dynamic_from = 1 << 30;  // larger than all ids

struct WakeCallback : btBroadphaseAabbCallback {
  bool process(const btBroadphaseProxy* proxy) override {
    static_cast<btCollisionObject*>(proxy->m_clientObject)->activate();
    return true;
  }
};

}  // namespace

BodyId BulletWorld::add_body(const BodyDesc& desc) {
  PERIGEE_ASSERT(desc.shape != nullptr, "a body must have a shape");
  btCollisionShape* shape = shapes_.use(desc.shape);
  btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape);
  info.m_friction = desc.friction;
  info.m_linearSleepingThreshold = sleep_m_s;
  info.m_angularSleepingThreshold = sleep_rad_s;
  Body body{.engine = std::make_unique<btRigidBody>(info),
            .shape = desc.shape.get(),
            .owner = desc.owner,
            .mass_kg = desc.mass_kg,
            .filter = desc.filter,
            .rounds = desc.rounds};
  BodyId id = no_body;
  if (free_.empty()) {
    bodies_.emplace_back();
    id = static_cast<BodyId>(bodies_.size());
  } else {
    id = free_.back();
    free_.pop_back();
  }
  body.engine->setUserIndex(static_cast<int>(id));
  Body& kept = bodies_[id - 1] = std::move(body);
  set_sweeps(kept);
  if (desc.shape->is_level()) {
    correct_contacts_with(*kept.engine, *desc.shape);
    count_levels(1);
  }
  if (desc.shape->heightfield()) {
    fields_.insert(std::lower_bound(fields_.begin(), fields_.end(), id), id);
  }
  place(kept, {desc.pose, desc.velocity, desc.angular_velocity});
  const bool dynamic = desc.mode == BodyMode::Dynamic;
  enter(kept, desc.mode, !dynamic || desc.asleep);
  place(kept, {desc.pose, desc.velocity, desc.angular_velocity});
  if (kept.aside == nullptr) return id;
  move_aside(kept);
  if (dynamic && lies_in_rounds(kept)) bring(id);
  if (kept.rounds) {
    std::vector<BodyId> found;
    aside_.list(kept.aside->volume, found);
    std::erase_if(found, [&](BodyId lying) { return this->body(lying).mode != BodyMode::Dynamic; });
    bring(found);
  }
  return id;
}

void BulletWorld::remove_body(BodyId id) {
  joints_.remove_of(id);
  leave(body(id));
  if (body(id).rounds) std::erase(near_rounds_, id);
  const Shape* shape = body(id).shape;
  const bool was_level = shape->is_level();
  body(id) = {};
  if (was_level) count_levels(-1);
  std::erase(fields_, id);
  shapes_.drop(shape);
  free_.push_back(id);
}

void BulletWorld::count_levels(int by) {
  const bool had = levels_ > 0;
  levels_ += by;
  if (had == (levels_ > 0)) return;
  world_.set_sweeps(levels_ > 0);
  for (Body& each : bodies_) {
    if (each.engine) set_sweeps(each);
  }
}

void BulletWorld::set_sweeps(Body& body) const {
  const Vec3 size = body.shape->bounds().size();
  const double radius = 0.45 * std::min({size.x, size.y, size.z});  // just within it
  body.engine->setCcdSweptSphereRadius(levels_ > 0 ? radius : 0);
  body.engine->setCcdMotionThreshold(levels_ > 0 ? radius / 2 : 0);
}

void BulletWorld::set_mode(BodyId id, BodyMode mode) {
  Body& changed = body(id);
  if (changed.mode == mode) return;
  leave(changed);
  enter(changed, mode);
}

void BulletWorld::set_mode_asleep(BodyId id, BodyMode mode) {
  Body& changed = body(id);
  if (changed.aside == nullptr) return set_mode(id, mode);
  become(changed, mode);
  changed.lay_with.clear();
  if (mode == BodyMode::Dynamic && lies_in_rounds(changed)) bring(id);
}

BulletJoints::Ends BulletWorld::ends_of(const JointDesc& desc) {
  for (const BodyId end : {desc.a, desc.b}) {
    if (end != no_body) bring(end);
  }
  const auto engine = [&](BodyId id) { return id == no_body ? nullptr : body(id).engine.get(); };
  return {engine(desc.a), engine(desc.b)};
}

std::uint32_t BulletWorld::joints_of(BodyId id) const {
  return static_cast<std::uint32_t>(body(id).engine->getNumConstraintRefs());
}

BodyState BulletWorld::state(BodyId id) const {
  const btRigidBody& engine = *body(id).engine;
  return {from_bullet(engine.getWorldTransform()), from_bullet(engine.getLinearVelocity()),
          from_bullet(engine.getAngularVelocity())};
}

// The engine does not wake bodies around a body that it does not move itself. They are woken here,
// part by part, so that a large wheel does not wake everything below its arms.
void BulletWorld::wake_touching(const btRigidBody& engine) {
  const btVector3 margin(touch_m, touch_m, touch_m);
  WakeCallback wake;
  const auto look = [&](const btCollisionShape& shape, const btTransform& at) {
    btVector3 low, high;
    shape.getAabb(at, low, high);
    std::vector<BodyId> found;
    aside_.list(btDbvtVolume::FromMM(low - margin, high + margin), found);
    std::erase_if(found, [&](BodyId id) { return body(id).mode != BodyMode::Dynamic; });
    bring(found);
    world_.getBroadphase()->aabbTest(low - margin, high + margin, wake);
  };
  const btTransform& at = engine.getWorldTransform();
  if (!engine.getCollisionShape()->isCompound()) return look(*engine.getCollisionShape(), at);
  const auto& parts = static_cast<const btCompoundShape&>(*engine.getCollisionShape());
  for (int i = 0; i < parts.getNumChildShapes(); ++i) {
    look(*parts.getChildShape(i), at * parts.getChildTransform(i));
  }
}

void BulletWorld::set_state(BodyId id, const BodyState& state) {
  Body& changed = body(id);
  const bool by_hand = changed.mode == BodyMode::Animated;
  if (!by_hand) bring(id);
  if (by_hand) wake_touching(*changed.engine);
  place(changed, state);
  if (changed.aside != nullptr) {
    move_aside(changed);
  } else {
    world_.updateSingleAabb(changed.engine.get());
  }
  if (by_hand) wake_touching(*changed.engine);
  if (changed.mode == BodyMode::Dynamic) changed.engine->activate(true);
}

void BulletWorld::set_velocity(BodyId id, const Vec3& linear, const Vec3& angular) {
  bring(id);
  btRigidBody& engine = *body(id).engine;
  engine.setLinearVelocity(to_bullet(linear));
  engine.setAngularVelocity(to_bullet(angular));
  engine.activate(true);
}

bool BulletWorld::awake(BodyId id) const {
  return body(id).mode == BodyMode::Dynamic && body(id).engine->isActive();
}

void BulletWorld::wake(BodyId id) {
  bring(id);
  body(id).engine->activate(true);
}

void BulletWorld::apply_impulse(BodyId id, const Vec3& impulse, const Vec3& point) {
  bring(id);
  btRigidBody& engine = *body(id).engine;
  engine.activate(true);
  engine.applyImpulse(to_bullet(impulse), to_bullet(point) - engine.getCenterOfMassPosition());
}

void BulletWorld::accelerate(BodyId id, const Vec3& acceleration) {
  const Body& moved = body(id);
  moved.engine->applyCentralForce(to_bullet(acceleration * moved.mass_kg));
}

void BulletWorld::place(Body& body, const BodyState& state) {
  const btTransform transform = to_bullet(state.pose);
  body.engine->setWorldTransform(transform);
  body.engine->setInterpolationWorldTransform(transform);
  const bool moves = body.mode == BodyMode::Dynamic;
  const btVector3 still(0, 0, 0);
  body.engine->setLinearVelocity(moves ? to_bullet(state.velocity) : still);
  body.engine->setAngularVelocity(moves ? to_bullet(state.angular_velocity) : still);
  body.engine->setInterpolationLinearVelocity(body.engine->getLinearVelocity());
  body.engine->setInterpolationAngularVelocity(body.engine->getAngularVelocity());
  body.engine->updateInertiaTensor();
}

void BulletWorld::become(Body& body, BodyMode mode) {
  body.mode = mode;
  const bool dynamic = mode == BodyMode::Dynamic;
  btVector3 inertia(0, 0, 0);
  if (dynamic) body.engine->getCollisionShape()->calculateLocalInertia(body.mass_kg, inertia);
  body.engine->setMassProps(dynamic ? body.mass_kg : 0, inertia);
  body.engine->updateInertiaTensor();
  if (!dynamic) {
    body.engine->setLinearVelocity({0, 0, 0});
    body.engine->setAngularVelocity({0, 0, 0});
  }
}

void BulletWorld::enter(Body& body, BodyMode mode, bool aside) {
  become(body, mode);
  if (aside) {
    body.engine->forceActivationState(ISLAND_SLEEPING);
    body.aside = aside_.insert(id_of(body.engine.get()), box_of(body));
    return;
  }
  join(body);
  if (mode == BodyMode::Dynamic) body.engine->forceActivationState(ACTIVE_TAG);
}

// The engine solves contacts, and orders the two bodies of each, by numbers that it assigns as
// bodies are added. A body that was removed and added again would then have other collision results
// than a body that stayed, and other results than predicted. So the numbers are set here:
// non-moving bodies first, then by id.
void BulletWorld::join(Body& body) {
  const auto id = static_cast<int>(id_of(body.engine.get()));
  broadphase_.m_gid = (body.mode == BodyMode::Dynamic ? dynamic_from : 0) + id - 1;
  world_.addRigidBody(body.engine.get(), body.filter.group, body.filter.meets);
  world_.updateSingleAabb(body.engine.get());
}

void BulletWorld::leave(Body& body) {
  body.looked_in.reset();
  body.lay_with.clear();
  if (body.aside == nullptr) return world_.removeRigidBody(body.engine.get());
  aside_.remove(std::exchange(body.aside, nullptr));
}

}  // namespace perigee::world
