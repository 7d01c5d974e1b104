#include "perigee/bots/boarder.hpp"

#include "brain_units.hpp"
#include "perigee/bots/steering.hpp"

namespace perigee::bots {
namespace {

constexpr double boarding_share = 0.3;
constexpr double jump_off_m = 110;  // starts to match the speed of a ship this close behind

}  // namespace

void Boarder::consider() {
  if (needs_.senses.ship() == no_entity) {
    considered_ = false;
  } else if (!considered_) {  // once per passing ship
    considered_ = true;
    wants_ = needs_.random.unit() < boarding_share;
    deck_spot_ = {needs_.random.between(-6, 6), 8, needs_.random.between(-24, 24)};
  }
}

void Boarder::begin() {
  wants_ = false;
  ship_ = needs_.senses.ship();
  needs_.activity.begin(Mode::Board, 50);
}

void Boarder::board(PlayerInput& input) {
  auto& [senses, random, activity, look] = needs_;
  if (senses.aboard()) return activity.begin(Mode::Aboard, random.between(10, 20));
  const auto ship = senses.ship_motion(ship_);
  if (!ship) return activity.begin(Mode::Home, 30);
  if (!senses.flying()) return press(input, button_jetpack);
  const Vec3 course = normalized(ship->velocity);
  const double ahead_m = dot(senses.world() - ship->pose.position, course);
  Vec3 target = transform(ship->pose, deck_spot_);
  Vec3 velocity = ship->velocity;
  if (ahead_m > jump_off_m) {
    target += course * ahead_m;
    velocity = {};
  }
  // In the frame of the bot's current parent.
  const Motion& parent = senses.parent_motion();
  steer(senses, look, inverse_transform(parent.pose, target),
        rotate_back(parent.pose.rotation, velocity - parent.velocity), 18, input);
}

}  // namespace perigee::bots
