#include "perigee/bots/flyer.hpp"

#include "brain_units.hpp"
#include "perigee/bots/steering.hpp"

namespace perigee::bots {
namespace {

constexpr double cruise_m = 40;  // above all decks and halls

}  // namespace

void Flyer::fly(PlayerInput& input) {
  const Senses& senses = needs_.senses;
  if (!senses.flying()) return press(input, button_jetpack);
  needs_.gait.turn_if_due();
  const SinCos heading = sin_cos(needs_.gait.heading_rad());
  steer(senses, needs_.gait.look(),
        senses.home_local() + Vec3{40 * heading.sin, 15, 40 * heading.cos}, {}, 15, input);
}

void Flyer::voyage(PlayerInput& input) {
  const Senses& senses = needs_.senses;
  const auto home = senses.entities().motion_at(senses.home(), senses.now());
  if (!home) return needs_.activity.begin(Mode::Home, 60);
  if (!senses.flying()) return press(input, button_jetpack);
  const Vec3 from = transform(home->pose, senses.home_local());
  const Vec3 goal{std::copysign(voyage_m_, -from.x), from.y + cruise_m, from.z};
  if (distance(goal, senses.world()) < 15) return needs_.activity.begin(Mode::Home, 60);
  const Motion& parent = senses.parent_motion();
  steer(senses, needs_.gait.look(), inverse_transform(parent.pose, goal),
        rotate_back(parent.pose.rotation, parent.velocity * -1), 40, input);
}

void Flyer::go_home(PlayerInput& input) {
  const Senses& senses = needs_.senses;
  const ActorState& state = senses.state();
  if (!senses.flying()) {
    if (senses.grounded() && senses.parent() == senses.home()) {
      return needs_.activity.begin(Mode::Walk, 4);
    }
    return press(input, button_jetpack);
  }
  if (senses.aboard() && state.position.y < 9) {  // clear of the ship's walls first
    return steer(senses, needs_.gait.look(), state.position + Vec3{0, 4, 0}, {}, 8, input);
  }
  const auto home = senses.entities().motion_at(senses.home(), senses.now());
  if (!home) return;
  const Motion& parent = senses.parent_motion();
  const Vec3 over = transform(home->pose, senses.home_local() + Vec3{0, 6, 0});
  const Vec3 target = inverse_transform(parent.pose, over);
  const Vec3 velocity = rotate_back(parent.pose.rotation, home->velocity - parent.velocity);
  steer(senses, needs_.gait.look(), target, velocity, 40, input);
  if (distance(target, state.position) < 6 && senses.parent() == senses.home() &&
      length(to_double(state.velocity)) < 5) {
    press(input, button_jetpack);
  }
}

}  // namespace perigee::bots
