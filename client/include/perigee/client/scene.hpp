/// The entities to render, each at its own time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "perigee/client/display.hpp"

namespace perigee::client {

/// An entity as it is to be rendered.
struct SceneEntity {
  Handle handle = no_entity;
  world::TypeId type = 0;
  Handle parent = no_entity;  ///< frame of `local`
  Pose local;
  Pose world;
  bool own = false;        ///< the predicted avatar
  bool smoothing = false;  ///< a correction is being blended out ...
  Vec3 smoothing_offset;   ///< ... remaining offset: rendered at true + this, in the parent's frame
  bool extrapolated = false;
};

class Scene {
 public:
  struct Needs {
    const EntityStore& entities;
    const Prediction& prediction;
    const Clocks& clocks;
    const Display& display;
  };
  explicit Scene(const Needs& needs);

  /// All known entities, parents before children; valid until the next call.
  std::span<const SceneEntity> draw(Micros now_us);
  /// The own avatar alone. None if there is none to render.
  std::optional<SceneEntity> own(Micros now_us) const;

 private:
  int generation(const ClientEntity& entity) const;
  std::optional<SceneEntity> draw_one(const ClientEntity& entity, Micros now_us,
                                      const ViewPoint& at) const;
  std::optional<SceneEntity> draw_own(Micros now_us, const ViewPoint& at) const;
  std::optional<SceneEntity> draw_other(const ClientEntity& entity, const ViewPoint& at) const;

  Needs needs_;
  std::vector<SceneEntity> entities_;
};

}  // namespace perigee::client
