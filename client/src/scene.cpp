// The entities to render, each at its own time.
#include <algorithm>

#include "perigee/client/client.hpp"

namespace perigee::client {

// In the frame of the prediction's parent, without the remaining corrections.
Vec3 Client::shown_position(Micros now_us, const ViewPoint& at) const {
  const ClientEntity* avatar = animating_ ? entities_.find(prediction_.avatar()) : nullptr;
  if (avatar != nullptr) {
    const auto seen = entities_.drawn_world(avatar->handle, at);
    const auto frame = entities_.drawn_world(prediction_.parent(), at);
    if (seen && frame) return inverse_transform(*frame, seen->position);
  }
  return prediction_.true_position(shown_part(now_us));
}

double Client::shown_part(Micros now_us) const {
  const double predicted = predicted_ticks(now_us);
  return std::clamp(predicted - ticks_between(time_map_.origin(), prediction_.next()), 0.0, 1.0);
}

FlightViewer Client::flight_viewer(Micros now_us) const {
  return {prediction_.avatar(), prediction_.parent(), view(now_us)};
}

std::span<const DrawnFlight> Client::flights(Micros now_us) {
  return flights_.draw(flight_viewer(now_us));
}

std::optional<world::GameState> Client::game_state(Handle actor) const {
  if (prediction_.running() && actor == prediction_.avatar()) return prediction_.game_state();
  const ClientEntity* entity = entities_.find(actor);
  const world::GameStateCodec& codec = game_.state_codec();
  world::GameState state;
  if (entity == nullptr ||
      !codec.read(entity->game, codec.initial, world::SeenBy::Everybody, state)) {
    return std::nullopt;
  }
  return state;
}

// The predicted and the server's position are some metres apart: the switch is blended.
void Client::choose_what_is_shown(Micros now_us) {
  const bool animate = !techniques_.prediction || (techniques_.storm_breaker && breaker_.open());
  if (animate == animating_ || !time_map_.ready()) return;
  const Vec3 before = shown_position(now_us, view(now_us));
  animating_ = animate;
  prediction_.set_shadow(animate);
  prediction_.hide_jump(before - shown_position(now_us, view(now_us)));
}

std::optional<SceneEntity> Client::draw_own(Micros now_us, const ViewPoint& at) const {
  const Handle parent = prediction_.parent();
  const auto frame = entities_.drawn_world(parent, at);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.own = true;
  out.parent = parent;
  out.smoothing = prediction_.smoothing();
  out.smoothing_offset = prediction_.display_offset();
  out.local.position = shown_position(now_us, at) + out.smoothing_offset;
  if (const world::StepRecord* last = prediction_.record(prediction_.next() - 1)) {
    out.local.rotation = yaw_rotation(last->input.yaw * (2 * pi / 65536));
  }
  out.world = *frame * out.local;
  return out;
}

std::optional<SceneEntity> Client::draw_other(const ClientEntity& entity,
                                              const ViewPoint& at) const {
  const auto sample = entities_.drawn(entity, at);
  if (!sample) return std::nullopt;
  const auto frame = entities_.drawn_world(sample->frame, at);
  if (!frame) return std::nullopt;
  SceneEntity out;
  out.parent = sample->frame;
  out.local = sample->pose;
  out.world = *frame * sample->pose;
  out.extrapolated = sample->extrapolated;
  if (const HelmPrediction& helm = prediction_.helm(); helm.shown_body() == entity.handle) {
    out.smoothing = helm.smoothing();
    out.smoothing_offset = helm.display_offset(at);
  }
  return out;
}

std::optional<SceneEntity> Client::draw(const ClientEntity& entity, Micros now_us,
                                        const ViewPoint& at) const {
  const bool own = prediction_.running() && entity.handle == prediction_.avatar();
  auto drawn = own ? draw_own(now_us, at) : draw_other(entity, at);
  if (!drawn) return std::nullopt;
  drawn->handle = entity.handle;
  drawn->type = entity.type;
  return drawn;
}

std::optional<SceneEntity> Client::own(Micros now_us) const {
  const ClientEntity* avatar = entities_.find(prediction_.avatar());
  if (avatar == nullptr || !prediction_.running() || !time_map_.ready()) return std::nullopt;
  return draw(*avatar, now_us, view(now_us));
}

std::span<const SceneEntity> Client::scene(Micros now_us) {
  scene_.clear();
  if (!time_map_.ready()) return scene_;
  const ViewPoint at = view(now_us);
  // Statics and bodies have no parents, but links of a chain have its root; scheduled objects
  // belong to any of those, actors to any entity; actors have no children.
  const auto generation = [&](const ClientEntity& entity) {
    const world::EntityKind kind = entities_.type_of(entity).kind;
    if (kind == world::EntityKind::Actor) return 3;
    if (kind == world::EntityKind::Timeline) return 2;
    const bool link = !entity.samples.empty() && entity.samples.newest().frame != no_entity;
    return link ? 1 : 0;
  };
  for (const int generations : {0, 1, 2, 3}) {
    for (const auto& entity : entities_.all()) {
      if (generation(*entity) != generations) continue;
      if (const auto drawn = draw(*entity, now_us, at)) scene_.push_back(*drawn);
    }
  }
  return scene_;
}

}  // namespace perigee::client
