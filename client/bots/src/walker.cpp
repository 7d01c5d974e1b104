#include "perigee/bots/walker.hpp"

#include "brain_units.hpp"
#include "perigee/bots/steering.hpp"

namespace perigee::bots {

void Walker::land_on_deck(PlayerInput& input) const {
  const ActorState& state = needs_.senses.state();
  steer(needs_.senses, needs_.gait.look(), {0, -2, 0}, {}, 6, input);
  if (state.position.y < 4 && length(to_double(state.velocity)) < 8) press(input, button_jetpack);
}

void Walker::walk(PlayerInput& input) {
  auto& [senses, random, activity, gait, deeds] = needs_;
  if (senses.flying() && activity.mode() == Mode::Walk) return activity.begin(Mode::Home, 30);
  const bool aboard = senses.aboard();
  if (aboard && senses.flying()) return land_on_deck(input);
  if (gait.turn_if_due()) {
    run_ = random.unit() < 0.3;
    const double leash = aboard ? 15 : 60;
    const Vec3 middle = aboard ? Vec3{} : senses.home_local();
    const Vec3& at = senses.state().position;
    if (distance({at.x, 0, at.z}, {middle.x, 0, middle.z}) > leash) {
      gait.walk_to(middle, input);  // home
    }
  }
  gait.evade();
  gait.look_ahead();
  input.forward = full_axis;
  if (run_) input.held = button_run;
  if (senses.grounded() && random.unit() < 0.25 / default_tick_rate_hz) {
    press(input, button_jump);
    ++deeds.jumps;
  }
}

}  // namespace perigee::bots
