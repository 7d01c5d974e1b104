// Closed loop: flies through a ship's door, touches the deck, and flies out and away again. Acts on
// what its client knew 100 ms ago.
#include <algorithm>
#include <array>
#include <cmath>

#include "controls.hpp"
#include "perigee/lab/scenario.hpp"
#include "perigee/lab/stage.hpp"

namespace perigee::lab {
namespace {

constexpr std::int32_t reaction_ticks = 6;
constexpr double thrust_m_s2 = 15;
constexpr double brakes_m_s2 = 11;  // of the thrust; the rest is reserve for holding the course
constexpr double far_out_m = ferry_door_x_m - approach_m;
constexpr double hover_m = 1.2;                   // above the deck
constexpr double hover_x_m = ferry_door_x_m + 4;  // there it waits until the ship attracts it
constexpr double doorway_m_s = 4.5;               // slow enough to become a rider

class Boarder final : public client::InputSampler {
 public:
  explicit Boarder(const client::Client& client) : client_(client) {}

  PlayerInput sample(Tick tick) override {
    PlayerInput input;
    input.tick = tick;
    const auto seen = look(tick);
    if (!seen) return input;
    memory_[next_ % memory_.size()] = *seen;
    if (++next_ < memory_.size()) return input;
    act(memory_[next_ % memory_.size()], input);
    return input;
  }

 private:
  /// Of the avatar, in the ship's frame and rotated into the axes of the avatar's parent.
  struct Seen {
    Vec3 position, velocity;
    Quat to_parent;
    bool flying = false, grounded = false, sinks = false;
  };

  std::optional<Seen> look(Tick tick) {
    const client::Prediction& own = client_.prediction();
    const client::EntityStore& entities = client_.entities();
    if (ship_ == no_entity) ship_ = nearest_ship(tick);
    const auto ship = entities.motion_at(ship_, tick);
    const auto parent = entities.motion_at(own.parent(), tick);
    if (ship_ == no_entity || !ship || !parent) return std::nullopt;
    const Motion world = world::world_motion_of(own.state(), *parent);
    const Vec3 relative = world.velocity - velocity_at(*ship, world.pose.position);
    return Seen{inverse_transform(ship->pose, world.pose.position),
                rotate_back(ship->pose.rotation, relative),
                conjugate(parent->pose.rotation) * ship->pose.rotation,
                (own.state().flags & actor_jetpack) != 0,
                (own.state().flags & actor_grounded) != 0,
                feels_gravity(own)};
  }

  /// Gravity begins with the change of parents, not at the door.
  static bool feels_gravity(const client::Prediction& own) {
    const world::StepRecord* last = own.record(own.next() - 1);
    if (last == nullptr) return false;
    const world::GravityBox& gravity = last->frame.gravity;
    return gravity.acceleration != Vec3{} && gravity.inside.contains(last->before.position);
  }

  Handle nearest_ship(Tick tick) const {
    const Vec3 own = client_.prediction().state().position;
    Handle nearest = no_entity;
    double nearest_m = 200;
    for (const auto& entity : client_.entities().all()) {
      const auto motion = client_.entities().motion_at(entity->handle, tick);
      if (entity->type != skiff::ferry_row || !motion) continue;
      const double meters = distance(motion->pose.position, own);
      if (meters < nearest_m) nearest = entity->handle;
      nearest_m = std::min(nearest_m, meters);
    }
    return nearest;
  }

  void act(const Seen& seen, PlayerInput& input) {
    if (inbound_ && seen.grounded) inbound_ = false;
    if (!inbound_ && seen.position.x < far_out_m) inbound_ = true;
    const bool inside = seen.position.x > ferry_door_x_m + 1.5;
    // Without gravity one would float on to the far wall.
    const bool wants_jetpack = !(inbound_ && inside && seen.sinks);
    if (wants_jetpack != seen.flying) {
      if (next_ - pressed_ > 2 * memory_.size()) {  // the effect of a press is seen this late
        input.samples.push_back({0, button_jetpack, ActionKind::None, no_entity});
        pressed_ = next_;
      }
      return;
    }
    if (!wants_jetpack) return;
    steer(seen, input);
  }

  // Steers along x at the highest speed that still allows stopping. Across x it steers back to the
  // line through the door.
  void steer(const Seen& seen, PlayerInput& input) const {
    const bool inside = seen.position.x > ferry_door_x_m + 1.5;
    const double goal_x = !inbound_ ? far_out_m + 1  // the view is old: it overshoots
                          : inside  ? hover_x_m
                                    : ferry_door_x_m - 1.5;
    const double left_m = goal_x - seen.position.x;
    double speed = std::sqrt(2 * brakes_m_s2 * std::abs(left_m)) * (left_m < 0 ? -1 : 1);
    if (inbound_ && !inside) speed = std::max(speed, doorway_m_s);
    const Vec3 wanted{speed, (hover_m - seen.position.y) * 2.5, -seen.position.z * 2.5};
    Vec3 thrust = (wanted - seen.velocity) * 3.5;
    if (seen.sinks) thrust.y += 9.81;
    const double most = thrust_m_s2;
    thrust.x = std::clamp(thrust.x, -most, most);
    const Vec3 share = rotate(seen.to_parent, thrust / most);
    input.yaw = 0;  // looks along +z of the parent: right is -x
    input.right = axis(-share.x);
    input.up = axis(share.y);
    input.forward = axis(share.z);
  }

  const client::Client& client_;
  Handle ship_ = no_entity;
  std::array<Seen, reaction_ticks> memory_{};
  std::size_t next_ = 0;
  std::size_t pressed_ = 0;
  bool inbound_ = true;
};

}  // namespace

std::unique_ptr<client::InputSampler> make_boarder(const client::Client& client) {
  return std::make_unique<Boarder>(client);
}

}  // namespace perigee::lab
