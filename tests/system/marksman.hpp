/// Players who shoot at what they see, a hand's breadth inside or outside of its hull, and note
/// what they expect of it.
#pragma once

#include <map>
#include <vector>

#include "perigee/client/client.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/skiff/fighter.hpp"

namespace perigee {

class Marksman final : public client::InputSampler {
 public:
  struct Shot {
    bool inside = false;
    double away_m = 0;
  };
  Marksman(const client::Client& client, std::uint64_t seed, double range_m)
      : client_(client), random_(seed), range_m_(range_m) {}

  /// By tick: what it aimed at.
  const std::map<std::uint32_t, Shot>& shots() const { return shots_; }

  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    const client::Prediction& own = client_.prediction();
    if (!home_) home_ = own.state().position;
    strafe(tick, input);
    const auto& fighter = own.game_state().as<skiff::Fighter>();
    if (fighter.dead() || fighter.reload_ticks > 1 || random_.below(6) != 0) return input;
    aim(tick, input);
    return input;
  }

 private:
  struct Aim {
    Vec3 way;
    double flat_m = 0;
  };
  void strafe(Tick tick, PlayerInput& input) {
    if (not_after(turn_at_, tick)) {
      turn_at_ = tick + 30 + static_cast<std::int32_t>(random_.below(90));
      way_ = {random_.between(-1, 1), 0, random_.between(-1, 1)};
      const Vec3 home = *home_ - client_.prediction().state().position;
      if (length(home) > 3) way_ = normalized(home);
    }
    world_way(way_, input);
    if (random_.below(120) == 0) input.samples.push_back({.pressed = button_jump});
  }
  /// The same way whatever it looks at.
  void world_way(const Vec3& way, PlayerInput& input) const {
    const SinCos look = sin_cos(input.yaw * (2 * pi / 65536));
    const Vec3 ahead{look.sin, 0, look.cos};
    const Vec3 right{-look.cos, 0, look.sin};
    input.forward = static_cast<std::int8_t>(std::clamp(dot(way, ahead), -1.0, 1.0) * 127);
    input.right = static_cast<std::int8_t>(std::clamp(dot(way, right), -1.0, 1.0) * 127);
  }
  /// From the eye to the middle of a body, in the own frame, both as they are on the screen.
  std::optional<Aim> seen(const client::ClientEntity& entity) const {
    const client::ViewPoint& at = client_.seen();
    const client::EntityStore& entities = client_.entities();
    const auto frame = entities.drawn_world(client_.prediction().parent(), at);
    const auto pose = entities.drawn_world(entity.handle, at);
    if (!frame || !pose) return std::nullopt;
    const Vec3 eye = client_.prediction().state().position + Vec3{0, 0.6, 0};
    Aim aim{inverse_transform(*frame, pose->position) - eye};
    aim.flat_m = length({aim.way.x, 0, aim.way.z});
    return aim;
  }
  void aim(Tick tick, PlayerInput& input) {
    std::vector<Aim> aims;
    for (const auto& entity : client_.entities().all()) {
      const world::EntityType& type = client_.entities().type_of(*entity);
      if (type.kind != world::EntityKind::Actor) continue;
      if (entity->handle == client_.prediction().avatar()) continue;
      if (const auto a = seen(*entity)) aims.push_back(*a);
    }
    if (aims.empty()) return;
    const std::size_t chosen = random_.below(static_cast<std::uint32_t>(aims.size()));
    const Vec3& way = aims[chosen].way;
    const double flat_m = aims[chosen].flat_m;
    if (flat_m > range_m_ || flat_m < 2) return;
    constexpr double radius_m = 0.4;
    const bool inside = random_.below(2) == 0;
    const double beside_m = inside ? random_.between(0, radius_m - margin_m)
                                   : radius_m + random_.between(margin_m, 0.2);
    const double side = random_.below(2) == 0 ? -1 : 1;
    const double along_m = std::sqrt(flat_m * flat_m - beside_m * beside_m);
    const double yaw = arc_tangent(way.x, way.z) + side * arc_tangent(beside_m, along_m);
    const double pitch = arc_tangent(way.y + random_.between(-0.3, 0.3), along_m);
    // Somebody else near the line would make a miss a hit.
    const SinCos look = sin_cos(yaw);
    for (std::size_t i = 0; i < aims.size(); ++i) {
      const double ahead_m = aims[i].way.x * look.sin + aims[i].way.z * look.cos;
      const double off_m = std::abs(aims[i].way.x * look.cos - aims[i].way.z * look.sin);
      if (i != chosen && ahead_m > 0 && off_m < 1.5) return;
    }
    const auto units = [](double rad) {
      return static_cast<std::int32_t>(std::lround(rad * (65536 / (2 * pi))));
    };
    input.yaw = static_cast<std::uint16_t>(units(yaw));
    input.pitch = static_cast<std::int16_t>(units(pitch));
    world_way(way_, input);
    input.samples.push_back({.pressed = button_fire});
    shots_[tick.count] = {inside, flat_m};
  }

  static constexpr double margin_m = 0.02;
  const client::Client& client_;
  Random random_;
  double range_m_;
  std::optional<Vec3> home_;
  Vec3 way_;
  Tick turn_at_;
  std::map<std::uint32_t, Shot> shots_;
};

}  // namespace perigee
