// Obstacles of a steered body in its own rigid-body world, and its contacts in the server's.
#include <algorithm>

#include "perigee/client/vehicle_predictor.hpp"

namespace perigee::client {
namespace {

constexpr std::size_t placed_max = 128;
constexpr double surroundings_m = 40;  // an entity this near may be hit before the next search
constexpr double touch_m = 0.1;

}  // namespace

// Statics, doors on fixed carriers, and large bodies with known full motion. An entity with a track
// only would be hit at a wrong place.
void VehiclePredictor::find_surroundings(Tick tick) {
  const world::Bounds near =
      world::inflated(world::transformed(motion().pose, type_->shape->bounds()), surroundings_m);
  std::erase_if(placed_, [&](const Placed& placed) {
    if (entities_.motion_at(placed.handle, tick)) return false;
    physics_->remove_body(placed.body);
    return true;
  });
  const Motion frame = frame_motion(tick);
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (entity->handle == body_ || type.trigger || placed_.size() == placed_max) continue;
    const bool door = type.kind == world::EntityKind::Timeline;
    if (door && !entities_.stands_fast(entity->parent)) continue;  // bodies pass through it
    const auto at = entities_.motion_at(entity->handle, tick);
    if (!at || !world::overlap(near, world::transformed(at->pose, type.shape->bounds()))) continue;
    const bool known = std::any_of(placed_.begin(), placed_.end(), [&](const Placed& placed) {
      return placed.handle == entity->handle;
    });
    if (known) continue;
    const bool stands = type.kind == world::EntityKind::Static && frame_ == no_entity;
    const bool moves = !stands && entity->handle != frame_;
    placed_.push_back(
        {entity->handle,
         physics_->add_body({.owner = entity->handle,
                             .shape = type.shape,
                             .mode = moves ? world::BodyMode::Animated : world::BodyMode::Static,
                             .friction = type.friction,
                             .pose = in_frame(*at, frame).pose}),
         moves});
  }
}

void VehiclePredictor::place_surroundings(Tick tick, const Motion& frame) {
  for (const Placed& placed : placed_) {
    if (!placed.moves) continue;
    if (const auto at = entities_.motion_at(placed.handle, tick)) {
      physics_->set_state(placed.body, {in_frame(*at, frame).pose, {}, {}});
    }
  }
}

// Counts the bodies that the server moves and the client does not, in contact with the body: here
// or where both were rendered.
void VehiclePredictor::count_contacts(Tick tick, const ViewPoint& view) {
  touching_ = 0;
  const ViewPoint at = view.remote();
  const auto own = entities_.drawn_world(body_, at);
  const world::Bounds hull = world::inflated(type_->shape->bounds(), touch_m);
  const EntityStore::Viewer viewer{body_, {}, motion().pose.position};
  for (const auto& entity : entities_.all()) {
    const world::EntityType& type = entities_.type_of(*entity);
    if (type.kind != world::EntityKind::Body || entity->handle == body_ || !own) continue;
    if (entity->handle == frame_) continue;
    if (entities_.surely_beyond(*entity, viewer, type_->shape->reach_m())) continue;
    const auto other = entities_.drawn_world(entity->handle, at);
    if (!other) continue;
    const Pose seen = relative(*own, *other);
    touching_ += world::overlap(world::transformed(seen, type.shape->bounds()), hull);
  }
  if (touching_ > crowd) {
    times_crowded_ += !crowded_;
    crowded_ = true;
    crowded_until_ = tick + crowd_rest_ticks;
  } else if (crowded_ && before(crowded_until_, tick)) {
    crowded_ = false;
  }
}

}  // namespace perigee::client
