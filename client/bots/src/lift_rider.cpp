#include "perigee/bots/lift_rider.hpp"

#include "brain_units.hpp"

namespace perigee::bots {

void LiftRider::begin() {
  const Senses::Handles& lifts = needs_.senses.lifts();
  lift_ = lifts[needs_.random.below(static_cast<std::uint32_t>(lifts.size()))];
  riding_ = false;
  needs_.activity.begin(Mode::Ride, 20);
}

void LiftRider::ride(PlayerInput& input) {
  auto& [senses, random, activity, gait, deeds] = needs_;
  const client::ClientEntity* lift = senses.entities().find(lift_);
  const bool there =
      lift != nullptr && (senses.parent() == lift->parent || senses.parent() == lift_);
  if (!there || senses.flying()) return activity.begin(Mode::Home, 30);
  if (gait.gives_up()) return activity.begin(Mode::Walk, 4);
  const Vec3 middle = senses.parent() == lift_ ? Vec3{} : lift->spawn_local.position;
  const Vec3 way = middle - senses.state().position;
  if (!riding_) {
    riding_ = senses.state().ground == lift_ && way.x * way.x + way.z * way.z < 2;
    if (!riding_) return gait.walk_to(middle, input);
    ++deeds.rides;
    activity.begin(Mode::Ride, random.between(5, 9));
    if (!senses.entities().type_of(*lift).travel.endless) use(input, lift_);
  }
  gait.look_ahead();  // where it came from
}

}  // namespace perigee::bots
