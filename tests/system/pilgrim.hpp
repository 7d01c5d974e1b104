/// A player with an itinerary: walks from stop to stop, uses things there, and roams about where
/// the stop says so. It knows only the state of its client.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/client/client.hpp"

namespace perigee {

/// A stop on the way, in the frame of the pilgrim's first parent.
struct Stop {
  Vec3 place;
  double stay_s = 0;
  double roam_m = 0;         ///< wanders this far about the place while it stays; 0: stands still
  world::TypeId use = 0xff;  ///< used on arrival: the nearest entity of this type
};

class Pilgrim final : public client::InputSampler {
 public:
  Pilgrim(const client::Client& client, std::vector<Stop> way, std::uint64_t seed)
      : client_(client), way_(std::move(way)), random_(seed) {}

  bool arrived() const { return at_ == way_.size(); }
  std::size_t stops_made() const { return at_; }
  /// Ticks during which it stood on entities of this type.
  std::uint32_t ticks_on(world::TypeId type) const { return on_[type]; }
  std::uint32_t jumps() const { return jumps_; }
  std::uint32_t ticks_at_controls() const { return at_controls_; }

  PlayerInput sample(Tick tick) override {
    PlayerInput input;
    const client::Prediction& prediction = client_.prediction();
    const client::EntityStore& entities = client_.entities();
    const ActorState& state = prediction.state();
    if (home_ == no_entity) home_ = prediction.parent();
    if (const client::ClientEntity* ground = entities.find(state.ground)) ++on_[ground->type];
    const auto home = entities.motion_at(home_, tick);
    const auto parent = entities.motion_at(prediction.parent(), tick);
    if (!home || !parent || arrived()) return input;
    const Stop& stop = way_[at_];
    const Vec3 target = inverse_transform(parent->pose, transform(home->pose, stop.place));
    if (staying_) {
      if (not_after(leave_, tick)) {
        staying_ = false;
        ++at_;
      } else if ((state.flags & actor_at_controls) != 0) {
        steer(tick, *parent, input);
      } else if (stop.roam_m > 0) {
        roam(tick, stop, target - state.position, input);
      }
      return input;
    }
    const Vec3 way = target - state.position;
    if (std::hypot(way.x, way.z) < 0.5) {
      staying_ = true;
      leave_ = tick + static_cast<std::int32_t>(stop.stay_s * default_tick_rate_hz);
      if (stop.use != 0xff) use(stop.use, state.position, input);
      return input;
    }
    face(way, input);
    input.forward = 127;
    return input;
  }

 private:
  static void face(const Vec3& way, PlayerInput& input) {
    const double turns = arc_tangent(way.x, way.z) / (2 * pi);
    input.yaw = static_cast<std::uint16_t>(static_cast<std::int32_t>(turns * 65536) & 0xffff);
  }
  // A new command every 0.5 to 2 s; at first upwards, and never far from where it started.
  void steer(Tick tick, const Motion& ship, PlayerInput& input) {
    if (at_controls_++ == 0) cast_off_ = ship.pose.position;
    if (not_after(turn_at_, tick)) {
      turn_at_ = tick + 30 + static_cast<std::int32_t>(random_.below(90));
      command_ = input;
      command_.right = static_cast<std::int8_t>(static_cast<int>(random_.below(255)) - 127);
      command_.up = static_cast<std::int8_t>(static_cast<int>(random_.below(61)) - 30);
      const Vec3 nose = rotate(ship.pose.rotation, {0, 0, 1});
      const bool homewards = dot(nose, cast_off_ + Vec3{0, 60, 0} - ship.pose.position) > 0;
      const auto much = static_cast<std::int8_t>(40 + random_.below(88));
      command_.forward = homewards ? much : static_cast<std::int8_t>(-much);
    }
    input.right = command_.right;
    input.up = at_controls_ < 180 ? 127 : command_.up;
    input.forward = at_controls_ < 180 ? 0 : command_.forward;
    input.held = button_dampers;
  }
  void roam(Tick tick, const Stop& stop, const Vec3& back, PlayerInput& input) {
    if (not_after(turn_at_, tick)) {
      turn_at_ = tick + 30 + static_cast<std::int32_t>(random_.below(60));
      yaw_ = static_cast<std::uint16_t>(random_.next());
    }
    if (somebody_ahead()) yaw_ = static_cast<std::uint16_t>(yaw_ + 10000);
    input.yaw = yaw_;
    const bool astray = std::hypot(back.x, back.z) > stop.roam_m;
    if (astray) face(back, input);
    input.forward = 127;
    const bool room = stop.roam_m > 4;  // near a rail, a jump would carry it overboard
    if (room && !astray && random_.below(90) == 0) {
      input.samples.push_back({.pressed = button_jump});
      ++jumps_;
    }
  }
  // Turns away, because walking into another player naturally causes corrections; those are
  // measured elsewhere.
  bool somebody_ahead() const {
    const SinCos look = sin_cos(yaw_ * (2 * pi / 65536));
    for (const auto& other : client_.entities().all()) {
      if (other->tracks.empty() || other->handle == client_.prediction().avatar()) continue;
      const FramedMotion newest = client_.entities().latest(*other);
      if (newest.frame != client_.prediction().parent()) continue;
      const Vec3 way = newest.pose.position - client_.prediction().state().position;
      if (length(way) < 3 && dot(way, {look.sin, 0, look.cos}) > 0) return true;
    }
    return false;
  }
  void use(world::TypeId type, const Vec3& from, PlayerInput& input) const {
    const client::ClientEntity* nearest = nullptr;
    for (const auto& entity : client_.entities().all()) {
      const bool here = entity->parent == client_.prediction().parent() ||
                        entity->handle == client_.prediction().parent();
      if (entity->type != type || !here) continue;
      if (nearest == nullptr || distance(entity->spawn_local.position, from) <
                                    distance(nearest->spawn_local.position, from)) {
        nearest = entity.get();
      }
    }
    if (nearest != nullptr) input.samples.push_back({128, 0, ActionKind::Use, nearest->handle});
  }

  const client::Client& client_;
  std::vector<Stop> way_;
  Random random_;
  std::size_t at_ = 0;
  bool staying_ = false;
  Tick leave_, turn_at_;
  std::uint16_t yaw_ = 0;
  Handle home_ = no_entity;
  std::uint32_t on_[256] = {};
  std::uint32_t jumps_ = 0;
  std::uint32_t at_controls_ = 0;
  Vec3 cast_off_;
  PlayerInput command_;
};

}  // namespace perigee
