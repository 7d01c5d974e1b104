// The content of the engine's world: moving bodies and those that they could meet. All others are
// set aside, so that bodies at rest cost nothing.
#include <algorithm>

#include "bullet_convert.hpp"
#include "bullet_world.hpp"

namespace perigee::world {
namespace {

constexpr double touch_m = 0.04;  // the engine's margins of two bodies in contact
/// The search volume around a moving body is larger than the body by this much, and by its way in
/// this time. So the search is not repeated in each step.
constexpr double look_m = 0.5;
constexpr double look_s = 0.2;
/// Above this number of pairs of set-aside and moving bodies, a complete new search is cheaper.
constexpr std::size_t compared_max = 4096;
constexpr std::uint32_t pass_steps = 16;     // between two searches for bodies to set aside
constexpr std::size_t put_per_step_max = 8;  // each one searches all pairs of the engine's world

btDbvtVolume box_around(const btCollisionObject& object, double by_m) {
  btVector3 low, high;
  object.getCollisionShape()->getAabb(object.getWorldTransform(), low, high);
  const btVector3 margin(by_m, by_m, by_m);
  return btDbvtVolume::FromMM(low - margin, high + margin);
}

struct CollectPresent : btBroadphaseAabbCallback {
  bool process(const btBroadphaseProxy* proxy) override {
    found.push_back(id_of(static_cast<const btCollisionObject*>(proxy->m_clientObject)));
    return true;
  }
  std::vector<BodyId> found;
};

}  // namespace

btDbvtVolume BulletWorld::box_of(const Body& body) {
  if (body.rounds)
    return btDbvtVolume::FromMM(to_bullet(body.rounds->low), to_bullet(body.rounds->high));
  return box_around(*body.engine, touch_m);
}

void BulletWorld::move_aside(Body& body) {
  if (!body.rounds) aside_.move(body.aside, box_of(body));
  came_aside_.push_back(id_of(body.engine.get()));
}

void BulletWorld::put_aside(BodyId id) {
  Body& resting = body(id);
  std::array<BodyContact, 16> found;
  const std::size_t count = contacts(id, found);
  leave(resting);
  resting.lay_with.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
  for (const BodyContact& contact : resting.lay_with) {
    Body& other = body(contact.other);
    if (other.mode != BodyMode::Dynamic || other.aside != nullptr) continue;
    BodyContact theirs = contact;
    theirs.other = id;
    theirs.owner = resting.owner;
    theirs.normal = -contact.normal;
    other.lay_with.push_back(theirs);
  }
  resting.aside = aside_.insert(id, box_of(resting));
  if (resting.rounds) std::erase(near_rounds_, id);
  came_aside_.push_back(id);
}

void BulletWorld::take_in(Body& body) {
  leave(body);
  const int activation = body.engine->getActivationState();
  join(body);
  body.engine->forceActivationState(activation);
  body.met_in = pass_;
  if (!body.rounds) return;
  const BodyId id = id_of(body.engine.get());
  near_rounds_.insert(std::lower_bound(near_rounds_.begin(), near_rounds_.end(), id), id);
}

void BulletWorld::bring(BodyId id) {
  if (body(id).aside == nullptr) return;
  std::vector<BodyId> found{id};
  bring(found);
}

// A body in contact with one that may be woken may be woken, too.
void BulletWorld::bring(std::vector<BodyId>& found) {
  std::sort(found.begin(), found.end());
  for (std::size_t i = 0; i < found.size(); ++i) {
    Body& wanted = body(found[i]);
    if (wanted.aside == nullptr) continue;
    take_in(wanted);
    if (wanted.mode != BodyMode::Dynamic) continue;
    const auto more = static_cast<std::ptrdiff_t>(found.size());
    aside_.list(box_around(*wanted.engine, touch_m), found);
    std::sort(found.begin() + more, found.end());
  }
}

void BulletWorld::look_around(Body& body, double dt_s, std::vector<BodyId>& found) {
  const double m = body.engine->getLinearVelocity().length();
  const btDbvtVolume reach = box_around(*body.engine, touch_m + m * dt_s);
  if (body.looked_in && body.looked_in->Contain(reach)) return;
  body.looked_in = box_around(*body.engine, look_m + m * look_s);
  aside_.list(*body.looked_in, found);
}

void BulletWorld::gather(double dt_s) {
  gathered_ = true;
  const auto& movable = world_.getNonStaticRigidBodies();
  const bool anew = came_aside_.size() * static_cast<std::size_t>(movable.size()) > compared_max;
  std::vector<BodyId> found;
  for (int i = 0; i < movable.size(); ++i) {
    Body& mover = body(id_of(movable[i]));
    if (!movable[i]->isActive()) continue;
    if (anew) mover.looked_in.reset();
    look_around(mover, dt_s, found);
    if (anew) continue;
    for (const BodyId id : came_aside_) {
      const btDbvtNode* leaf = has(id) ? body(id).aside : nullptr;
      if (leaf != nullptr && Intersect(leaf->volume, *mover.looked_in)) found.push_back(id);
    }
  }
  came_aside_.clear();
  bring(found);
}

void BulletWorld::step(double dt_s) {
  if (!std::exchange(gathered_, false)) gather(dt_s);
  gathered_ = false;
  world_.stepSimulation(dt_s, 0);
  if (++steps_ % pass_steps == 0) note_who_is_met();
  put_some_aside();
}

/// Whether the body lies in the path of an endlessly moving body, which wakes it in each round.
bool BulletWorld::lies_in_rounds(const Body& body) const {
  const btDbvtVolume box = box_around(*body.engine, touch_m);
  std::vector<BodyId> found;
  aside_.list(box, found);
  found.insert(found.end(), near_rounds_.begin(), near_rounds_.end());
  return std::any_of(found.begin(), found.end(), [&](BodyId id) {
    const Body& other = this->body(id);
    return other.rounds && Intersect(box_of(other), box);
  });
}

bool BulletWorld::may_be_aside(const Body& body) const {
  return body.aside == nullptr && body.engine->getNumConstraintRefs() == 0 &&
         (body.mode != BodyMode::Dynamic || (!body.engine->isActive() && !lies_in_rounds(body)));
}

// Marks all bodies around moving ones, and around sleeping ones that must stay. The unmarked ones
// may be set aside.
void BulletWorld::note_who_is_met() {
  ++pass_;
  CollectPresent met;
  const auto around = [&](const btDbvtVolume& box) {
    broadphase_.aabbTest(box.Mins(), box.Maxs(), met);
  };
  const auto& movable = world_.getNonStaticRigidBodies();
  for (int i = 0; i < movable.size(); ++i) {
    Body& mover = body(id_of(movable[i]));
    const bool stays = movable[i]->isActive() || !may_be_aside(mover);
    if (!stays) continue;
    mover.met_in = pass_;
    around(mover.looked_in ? *mover.looked_in : box_around(*movable[i], look_m));
  }
  for (std::size_t i = 0; i < met.found.size(); ++i) {
    Body& other = body(met.found[i]);
    if (std::exchange(other.met_in, pass_) == pass_) continue;
    if (other.mode == BodyMode::Dynamic) around(box_around(*other.engine, touch_m));
  }
  to_put_.clear();
  const auto& present = world_.getCollisionObjectArray();
  for (int i = 0; i < present.size(); ++i) {
    const BodyId id = id_of(present[i]);
    if (body(id).met_in != pass_) to_put_.push_back(id);
  }
  // A body comes before the one that it lies on, because it remembers its contacts.
  std::sort(to_put_.begin(), to_put_.end(), [&](BodyId a, BodyId b) {
    const auto rank = [&](BodyId id) { return std::pair(body(id).mode != BodyMode::Dynamic, id); };
    return rank(a) > rank(b);
  });
}

void BulletWorld::put_some_aside() {
  for (std::size_t left = put_per_step_max; left > 0 && !to_put_.empty(); --left) {
    const BodyId id = to_put_.back();
    to_put_.pop_back();
    if (has(id) && body(id).met_in != pass_ && may_be_aside(body(id))) put_aside(id);
  }
}

void BulletWorld::near_rounds(std::vector<BodyId>& found) const { found = near_rounds_; }

void BulletWorld::list_awake(std::vector<BodyId>& found) const {
  found.clear();
  const auto& movable = world_.getNonStaticRigidBodies();
  for (int i = 0; i < movable.size(); ++i) {
    if (movable[i]->isActive()) found.push_back(id_of(movable[i]));
  }
  std::sort(found.begin(), found.end());
}

}  // namespace perigee::world
