#include <algorithm>
#include <cmath>

#include "controls.hpp"
#include "perigee/lab/shooter.hpp"
#include "perigee/skiff/fighter.hpp"

namespace perigee::lab {
namespace {

constexpr double eye_m = 0.6;
constexpr double hull_radius_m = 0.4;

std::int32_t units(double rad) {
  return static_cast<std::int32_t>(std::lround(rad * (65536 / (2 * pi))));
}
void look_along(const Vec3& way, PlayerInput& input) {
  input.yaw = static_cast<std::uint16_t>(units(arc_tangent(way.x, way.z)));
  input.pitch = static_cast<std::int16_t>(units(arc_tangent(way.y, length({way.x, 0, way.z}))));
}
/// Walks in that direction, independent of the direction of view.
void walk_along(const Vec3& way, PlayerInput& input) {
  const SinCos look = sin_cos(input.yaw * (2 * pi / 65536));
  input.forward = axis(dot(way, {look.sin, 0, look.cos}));
  input.right = axis(dot(way, {-look.cos, 0, look.sin}));
}

class Marksman final : public Shooter {
 public:
  Marksman(const client::Client& client, std::uint64_t seed) : Shooter(client), random_(seed) {}

  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    strafe(tick, input);
    const auto& fighter = client().prediction().game_state().as<skiff::Fighter>();
    if (fighter.dead() || fighter.reload_ticks > 1 || random_.below(6) != 0) return input;
    shoot(tick, input);
    return input;
  }

 private:
  static constexpr double margin_m = 0.02;
  static constexpr double range_m = 40;
  static constexpr double home_m = 3;  // walks about within that radius

  void strafe(Tick tick, PlayerInput& input) {
    const Vec3 at = client().prediction().state().position;
    if (!home_) home_ = at;
    if (not_after(turn_at_, tick)) {
      turn_at_ = tick + 30 + static_cast<std::int32_t>(random_.below(90));
      way_ = {random_.between(-1, 1), 0, random_.between(-1, 1)};
      if (distance(*home_, at) > home_m) way_ = normalized(*home_ - at);
    }
    walk_along(way_, input);
    if (random_.below(120) == 0) input.samples.push_back({.pressed = button_jump});
  }
  void shoot(Tick tick, PlayerInput& input) {
    const std::vector<Aim> all = aims();
    if (all.empty()) return;
    const std::size_t chosen = random_.below(static_cast<std::uint32_t>(all.size()));
    const Vec3& way = all[chosen].way;
    const double flat_m = all[chosen].flat_m;
    if (flat_m > range_m || flat_m < 2) return;
    const bool inside = random_.below(2) == 0;
    const double beside_m = inside ? random_.between(0, hull_radius_m - margin_m)
                                   : hull_radius_m + random_.between(margin_m, 0.2);
    const double side = random_.below(2) == 0 ? -1 : 1;
    const double along_m = std::sqrt(flat_m * flat_m - beside_m * beside_m);
    const double yaw = arc_tangent(way.x, way.z) + side * arc_tangent(beside_m, along_m);
    const SinCos look = sin_cos(yaw);
    if (somebody_else_near(all, chosen, look)) return;
    input.yaw = static_cast<std::uint16_t>(units(yaw));
    input.pitch =
        static_cast<std::int16_t>(units(arc_tangent(way.y + random_.between(-0.3, 0.3), along_m)));
    walk_along(way_, input);
    input.samples.push_back({.pressed = button_fire});
    expect(tick, inside);
  }
  // Another player that could turn a miss into a hit.
  static bool somebody_else_near(const std::vector<Aim>& all, std::size_t chosen,
                                 const SinCos& look) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double ahead_m = all[i].way.x * look.sin + all[i].way.z * look.cos;
      const double off_m = std::abs(all[i].way.x * look.cos - all[i].way.z * look.sin);
      if (i != chosen && ahead_m > 0 && off_m < 1.5) return true;
    }
    return false;
  }

  Random random_;
  std::optional<Vec3> home_;
  Vec3 way_;
  Tick turn_at_;
};

class Archer final : public Shooter {
 public:
  Archer(const client::Client& client, bool walks) : Shooter(client), walks_(walks) {}

  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    const std::vector<Aim> all = aims();
    const auto nearest = std::ranges::min_element(all, {}, &Aim::flat_m);
    if (nearest != all.end()) {
      const double flight_s = length(nearest->way) / arrow_m_s;
      look_along(nearest->way + Vec3{0, 0.5 * gravity_m_s2 * flight_s * flight_s, 0}, input);
      input.held = button_alternate;
    }
    if (walks_) walk_abreast(tick, input);
    return input;
  }

 private:
  std::optional<bool> expectation() const override { return !walks_; }

  static constexpr double arrow_m_s = 60;
  static constexpr double gravity_m_s2 = 9.81;
  // Four seconds in each direction. Archers do not shoot at targets that are about to turn back.
  static constexpr std::uint32_t leg_ticks = 240;
  static constexpr std::uint32_t begin_ticks = 20;
  static constexpr std::uint32_t end_ticks = 180;

  static void walk_abreast(Tick tick, PlayerInput& input) {
    const std::uint32_t part = tick.count % leg_ticks;
    if (part < begin_ticks || part > end_ticks) input.held = 0;
    const double way = tick.count / leg_ticks % 2 == 0 ? 1 : -1;
    walk_along({0, 0, way}, input);
  }

  bool walks_;
};

class Duelist final : public Shooter {
 public:
  using Shooter::Shooter;

  PlayerInput sample(Tick tick) override {
    PlayerInput input{.tick = tick};
    if (tick.count % round_ticks != 0) return input;
    const std::vector<Aim> all = aims();
    const auto nearest = std::ranges::min_element(all, {}, &Aim::flat_m);
    if (nearest == all.end()) return input;
    look_along(nearest->way, input);
    input.samples.push_back({.pressed = button_fire});
    expect(tick, true);
    return input;
  }

 private:
  static constexpr std::uint32_t round_ticks = 360;  // dead players are back by then
};

}  // namespace

ShotFigures& ShotFigures::operator+=(const ShotFigures& more) {
  hits_expected += more.hits_expected;
  hits_missing += more.hits_missing;
  misses_expected += more.misses_expected;
  misses_missing += more.misses_missing;
  return *this;
}

void Shooter::hear(std::span<const client::CueNews> news) {
  for (const client::CueNews& cue : news) {
    if (cue.effect != skiff::shot_effect && cue.effect != skiff::loose_effect) continue;
    if (cue.effect == skiff::loose_effect && cue.state == client::CueState::Played) {
      shots_[cue.tick.count].expects_hit = expectation();
    }
    const bool overruled =
        cue.state == client::CueState::Cancelled && cue.reason == CancelReason::Overruled;
    if (cue.state != client::CueState::Confirmed && !overruled) continue;
    // An arrow's result is sent when the arrow is loosed, and again if it hits a player.
    shots_[cue.tick.count].hit = !overruled && cue.detail == skiff::shot_hit;
  }
}

ShotFigures Shooter::figures() const {
  constexpr std::uint32_t settled_ticks = 120;  // later shots may still be in flight
  ShotFigures out;
  const std::uint32_t newest = shots_.empty() ? 0 : shots_.rbegin()->first;
  for (const auto& [tick, shot] : shots_) {
    if (!shot.expects_hit || !shot.hit || tick + settled_ticks > newest) continue;
    ++(*shot.expects_hit ? out.hits_expected : out.misses_expected);
    out.hits_missing += *shot.expects_hit && !*shot.hit;
    out.misses_missing += !*shot.expects_hit && *shot.hit;
  }
  return out;
}

std::vector<Shooter::Aim> Shooter::aims() const {
  std::vector<Aim> out;
  const client::ViewPoint& at = client_.seen();
  const client::EntityStore& entities = client_.entities();
  const client::Prediction& own = client_.prediction();
  const auto frame = entities.drawn_world(own.parent(), at);
  if (!frame) return out;
  for (const auto& entity : entities.all()) {
    if (entities.type_of(*entity).kind != world::EntityKind::Actor) continue;
    if (entity->handle == own.avatar()) continue;
    const auto pose = entities.drawn_world(entity->handle, at);
    if (!pose) continue;
    Aim aim{inverse_transform(*frame, pose->position) - own.state().position - Vec3{0, eye_m, 0}};
    aim.flat_m = length({aim.way.x, 0, aim.way.z});
    out.push_back(aim);
  }
  return out;
}

std::unique_ptr<Shooter> make_marksman(const client::Client& client, std::uint64_t seed) {
  return std::make_unique<Marksman>(client, seed);
}
std::unique_ptr<Shooter> make_archer(const client::Client& client, bool walks) {
  return std::make_unique<Archer>(client, walks);
}
std::unique_ptr<Shooter> make_duelist(const client::Client& client) {
  return std::make_unique<Duelist>(client);
}

}  // namespace perigee::lab
