#include "perigee/client/scene.hpp"

namespace perigee::client {

Scene::Scene(const Needs& needs) : needs_(needs) { entities_.reserve(EntityStore::entities_max); }

std::optional<SceneEntity> Scene::draw_own(Micros now_us, const ViewPoint& at) const {
  const Prediction& prediction = needs_.prediction;
  const Handle parent = prediction.parent();
  const auto frame = needs_.entities.drawn_world(parent, at);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.own = true;
  out.parent = parent;
  out.smoothing = prediction.smoothing();
  out.smoothing_offset = prediction.display_offset();
  out.local.position = needs_.display.shown_position(now_us, at) + out.smoothing_offset;
  if (const world::StepRecord* last = prediction.record(prediction.next() - 1)) {
    out.local.rotation = yaw_rotation(last->input.yaw * (2 * pi / 65536));
  }
  out.world = *frame * out.local;
  return out;
}

std::optional<SceneEntity> Scene::draw_other(const ClientEntity& entity,
                                             const ViewPoint& at) const {
  const auto sample = needs_.entities.drawn(entity, at);
  if (!sample) return std::nullopt;
  const auto frame = needs_.entities.drawn_world(sample->frame, at);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.parent = sample->frame;
  out.local = sample->pose;
  out.world = *frame * sample->pose;
  out.extrapolated = sample->extrapolated;
  const VehiclePredictor& vehicle = needs_.prediction.vehicle();
  if (vehicle.shown_body() == entity.handle) {
    out.smoothing = vehicle.smoothing();
    out.smoothing_offset = vehicle.display_offset(at);
  }
  return out;
}

std::optional<SceneEntity> Scene::draw_one(const ClientEntity& entity, Micros now_us,
                                           const ViewPoint& at) const {
  const Prediction& prediction = needs_.prediction;
  const bool own = prediction.running() && entity.handle == prediction.avatar();
  auto drawn = own ? draw_own(now_us, at) : draw_other(entity, at);
  if (!drawn) return std::nullopt;
  drawn->handle = entity.handle;
  drawn->type = entity.type;
  return drawn;
}

std::optional<SceneEntity> Scene::own(Micros now_us) const {
  const Prediction& prediction = needs_.prediction;
  const ClientEntity* avatar = needs_.entities.find(prediction.avatar());
  if (avatar == nullptr || !prediction.running() || !needs_.clocks.time().ready()) {
    return std::nullopt;
  }
  return draw_one(*avatar, now_us, needs_.display.view(now_us));
}

// Statics and bodies have no parents, but links of a chain have its root as parent. Scheduled
// objects belong to any of those, actors to any entity. Actors have no children.
int Scene::generation(const ClientEntity& entity) const {
  const world::EntityKind kind = needs_.entities.type_of(entity).kind;
  if (kind == world::EntityKind::Actor) return 3;
  if (kind == world::EntityKind::Timeline) return 2;
  const bool link = !entity.tracks.empty() && entity.tracks.frame() != no_entity;
  return link ? 1 : 0;
}

std::span<const SceneEntity> Scene::draw(Micros now_us) {
  entities_.clear();
  if (!needs_.clocks.time().ready()) return entities_;
  const ViewPoint at = needs_.display.view(now_us);
  for (const int generations : {0, 1, 2, 3}) {
    for (const auto& entity : needs_.entities.all()) {
      if (generation(*entity) != generations) continue;
      if (const auto drawn = draw_one(*entity, now_us, at)) entities_.push_back(*drawn);
    }
  }
  return entities_;
}

}  // namespace perigee::client
