// What there is to draw: everything known, each at its own time.
#include <algorithm>

#include "perigee/client/client.hpp"

namespace perigee::client {

std::optional<SceneEntity> Client::draw_own(Micros now_us, const ViewPoint& at) const {
  const Prediction::Display shown = prediction_.display(part_of_tick(now_us));
  const auto frame = entities_.drawn_world(shown.parent, at.origin, at.ticks, at.jitter_ticks);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.own = true;
  out.parent = shown.parent;
  out.local.position = shown.position;
  if (const world::StepRecord* last = prediction_.record(prediction_.next() - 1)) {
    out.local.rotation = yaw_rotation(last->input.yaw * (2 * pi / 65536));
  }
  out.world = *frame * out.local;
  out.smoothing = shown.smoothing;
  return out;
}

std::optional<SceneEntity> Client::draw_other(const ClientEntity& entity,
                                              const ViewPoint& at) const {
  const auto sample = entities_.drawn(entity, at.origin, at.ticks, at.jitter_ticks);
  if (!sample) return std::nullopt;
  const auto frame = entities_.drawn_world(sample->frame, at.origin, at.ticks, at.jitter_ticks);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.parent = sample->frame;
  out.local = sample->pose;
  out.world = *frame * sample->pose;
  out.extrapolated = sample->extrapolated;
  return out;
}

std::span<const SceneEntity> Client::scene(Micros now_us) {
  scene_.clear();
  if (!time_map_.ready()) return scene_;
  const ViewPoint at = view();
  const auto draw = [&](const ClientEntity& entity) {
    const bool own = prediction_.running() && entity.handle == prediction_.avatar();
    auto drawn = own ? draw_own(now_us, at) : draw_other(entity, at);
    if (!drawn) return;
    drawn->handle = entity.handle;
    drawn->type = entity.type;
    scene_.push_back(*drawn);
  };
  // What can be a parent stands or floats in the world; actors and doors have no children.
  const auto may_be_parent = [&](const ClientEntity& entity) {
    const world::EntityKind kind = entities_.type_of(entity).kind;
    return kind == world::EntityKind::Static || kind == world::EntityKind::Body;
  };
  for (const bool parents : {true, false}) {
    for (const auto& entity : entities_.all()) {
      if (may_be_parent(*entity) == parents) draw(*entity);
    }
  }
  return scene_;
}

}  // namespace perigee::client
