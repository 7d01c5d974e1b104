#include "perigee/lab/drawn_meter.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::lab {
namespace {

/// The end of the longest side that is farther from the origin.
Vec3 bow_of(const world::EntityType& type) {
  const world::Bounds& bounds = type.shape->bounds();
  const Vec3 size = bounds.size(), middle = bounds.center();
  const auto end = [](double low, double high) { return high > -low ? high : low; };
  if (size.x >= size.y && size.x >= size.z) {
    return {end(bounds.low.x, bounds.high.x), middle.y, middle.z};
  }
  if (size.z >= size.y) return {middle.x, middle.y, end(bounds.low.z, bounds.high.z)};
  return {middle.x, end(bounds.low.y, bounds.high.y), middle.z};
}

bool is_hull(const world::EntityType& type) {
  return type.kind == world::EntityKind::Body && type.shape->reach_m() >= hull_reach_m;
}

}  // namespace

void DrawnMeter::note(const client::Client& client) {
  if (frames_++ % every_frames != 0 || !client.playing()) return;
  const client::EntityStore& entities = client.entities();
  const client::ViewPoint at = client.seen().remote();
  const auto eye = entities.drawn_world(client.prediction().parent(), at);
  if (!eye) return;
  const Vec3 from = transform(*eye, client.prediction().state().position);
  for (const auto& entity : entities.all()) {
    if (waiting_.size() == samples_max) return;
    if (entity->handle != client.prediction().avatar()) note(entities, *entity, at, from);
  }
}

void DrawnMeter::note(const client::EntityStore& entities, const client::ClientEntity& entity,
                      const client::ViewPoint& at, const Vec3& eye) {
  const world::EntityType& type = entities.type_of(entity);
  const bool hull = is_hull(type);
  if (!hull && type.kind != world::EntityKind::Actor) return;
  const auto pose = entities.drawn_world(entity.handle, at);
  if (!pose) return;
  const double away_m = distance(pose->position, eye);
  if (hull ? away_m < hull_near_m || away_m > hull_far_m : away_m > people_far_m) return;
  const double whole = std::floor(at.ticks);
  waiting_.push_back({entity.handle, at.origin + static_cast<std::int32_t>(whole), at.ticks - whole,
                      *pose, hull ? bow_of(type) : Vec3{}, hull});
}

void DrawnMeter::judge(const worker::Core& core, Tick final_tick, PlayerFigures& out) {
  const world::World& world = core.world();
  const auto done = [&](const Drawn& drawn) {
    const Tick next = drawn.tick + 1;
    if (before(final_tick, next)) return false;
    if (ticks_between(next, final_tick) > static_cast<std::int32_t>(world::history_ticks)) {
      return true;
    }
    const world::Entity* entity = world.find(drawn.handle);
    if (entity == nullptr || entity->remote) return false;  // perhaps another worker has it
    const auto a = world.pose(drawn.handle, drawn.tick), b = world.pose(drawn.handle, next);
    if (!a || !b) return false;
    const Pose real{lerp(a->position, b->position, drawn.part),
                    slerp(a->rotation, b->rotation, drawn.part)};
    const double off_m =
        drawn.hull ? distance(transform(drawn.pose, drawn.bow), transform(real, drawn.bow))
                   : distance(drawn.pose.position, real.position);
    (drawn.hull ? out.hulls_drawn_m : out.people_drawn_m).push_back(off_m);
    return true;
  };
  std::erase_if(waiting_, done);
}

}  // namespace perigee::lab
