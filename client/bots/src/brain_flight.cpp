// Jetpack: flying around, onto a passing ship, and home.
#include "brain_units.hpp"
#include "perigee/bots/brain.hpp"

namespace perigee::bots {
namespace {

constexpr double cruise_m = 40;     // above all decks and halls
constexpr double jump_off_m = 110;  // starts to match the speed of a ship this close behind

}  // namespace

void Brain::steer(const Vec3& target, const Vec3& target_velocity, double speed_max,
                  PlayerInput& input) const {
  const Vec3 way = target - state_.position;
  const double away = length(way);
  // The highest speed from which the brakes (half of the thrust) can still stop it there.
  const double speed = std::min(speed_max, std::sqrt(2 * 6.0 * away));
  const Vec3 wanted = target_velocity + normalized(way) * speed;
  Vec3 thrust = (wanted - to_double(state_.velocity)) * (2.5 / 15);
  const client::ClientEntity* parent = client_.entities().find(parent_);
  if (parent != nullptr) {
    const world::GravityBox& gravity = client_.entities().type_of(*parent).gravity;
    if (gravity.inside.contains(state_.position)) thrust -= gravity.acceleration * (1 / 15.0);
  }
  const double size = length(thrust);
  if (size > 1) thrust = thrust / size;
  input.yaw = 0;  // looks along +z: right is -x
  input.right = axis(-thrust.x);
  input.up = axis(thrust.y);
  input.forward = axis(thrust.z);
}

void Brain::fly(PlayerInput& input) {
  if (!flying()) return press(input, button_jetpack);
  if (not_after(turn_at_, now_)) {
    heading_rad_ = random_.between(-pi, pi);
    turn_at_ = now_ + ticks(random_.between(0.5, 2));
  }
  const SinCos heading = sin_cos(heading_rad_);
  steer(home_local_ + Vec3{40 * heading.sin, 15, 40 * heading.cos}, {}, 15, input);
}

// As far beyond the middle of the world as configured, and home.
void Brain::voyage(Tick tick, PlayerInput& input) {
  const auto home = client_.entities().motion_at(home_, tick);
  if (!home) return begin(Mode::Home, 60);
  if (!flying()) return press(input, button_jetpack);
  const Vec3 from = transform(home->pose, home_local_);
  const Vec3 goal{std::copysign(voyage_m_, -from.x), from.y + cruise_m, from.z};
  if (distance(goal, world_) < 15) return begin(Mode::Home, 60);
  steer(inverse_transform(parent_motion_.pose, goal),
        rotate_back(parent_motion_.pose.rotation, parent_motion_.velocity * -1), 40, input);
}

// Hovers on the ship's course, then matches its speed and drops onto its deck.
void Brain::board(Tick tick, PlayerInput& input) {
  if (is_ship(parent_)) return begin(Mode::Aboard, random_.between(10, 20));
  const auto ship = ship_motion(boarding_, tick);
  if (!ship) return begin(Mode::Home, 30);
  if (!flying()) return press(input, button_jetpack);
  const Vec3 course = normalized(ship->velocity);
  const double ahead_m = dot(world_ - ship->pose.position, course);
  Vec3 target = transform(ship->pose, deck_spot_);
  Vec3 velocity = ship->velocity;
  if (ahead_m > jump_off_m) {
    target += course * ahead_m;
    velocity = {};
  }
  // In the frame of the bot's current parent.
  steer(inverse_transform(parent_motion_.pose, target),
        rotate_back(parent_motion_.pose.rotation, velocity - parent_motion_.velocity), 18, input);
}

void Brain::go_home(Tick tick, PlayerInput& input) {
  if (!flying()) {
    if (grounded() && parent_ == home_) return begin(Mode::Walk, 4);
    return press(input, button_jetpack);
  }
  if (is_ship(parent_) && state_.position.y < 9) {  // clear of the ship's walls first
    return steer(state_.position + Vec3{0, 4, 0}, {}, 8, input);
  }
  const auto home = client_.entities().motion_at(home_, tick);
  if (!home) return;
  const Vec3 over = transform(home->pose, home_local_ + Vec3{0, 6, 0});
  const Vec3 target = inverse_transform(parent_motion_.pose, over);
  const Vec3 velocity =
      rotate_back(parent_motion_.pose.rotation, home->velocity - parent_motion_.velocity);
  steer(target, velocity, 40, input);
  if (distance(target, state_.position) < 6 && parent_ == home_ &&
      length(to_double(state_.velocity)) < 5) {
    press(input, button_jetpack);
  }
}

}  // namespace perigee::bots
