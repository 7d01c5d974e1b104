#include "perigee/bots/door_user.hpp"

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double front_m = 1.4;  // standing place for opening a door

}  // namespace

void DoorUser::begin() {
  const Senses::Handles& doors = needs_.senses.doors();
  door_ = doors[needs_.random.below(static_cast<std::uint32_t>(doors.size()))];
  passing_ = false;
  needs_.activity.begin(Mode::Door, 20);
}

void DoorUser::use_door(PlayerInput& input) {
  use(input, door_);
  ++needs_.deeds.doors;
}

void DoorUser::pass(PlayerInput& input) {
  const Senses& senses = needs_.senses;
  const client::ClientEntity* door = senses.entities().find(door_);
  if (door == nullptr || door->parent != senses.parent() || senses.flying()) {
    return needs_.activity.begin(Mode::Walk, 3);
  }
  if (needs_.gait.gives_up()) {
    needs_.gait.turn_at(senses.now());
    return needs_.activity.begin(Mode::Walk, 4);
  }
  const Vec3 across = rotate(door->spawn_local.rotation, Vec3{1, 0, 0});
  const Vec3 foot{door->spawn_local.position.x, senses.state().position.y,
                  door->spawn_local.position.z};
  if (!passing_) return approach(*door, foot, across, input);
  leave(foot - across * (side_ * 2 * front_m), input);
}

void DoorUser::approach(const client::ClientEntity& door, const Vec3& foot, const Vec3& across,
                        PlayerInput& input) {
  const Senses& senses = needs_.senses;
  const Vec3& at = senses.state().position;
  side_ = dot(at - foot, across) < 0 ? -1 : 1;
  const Vec3 front = foot + across * (side_ * front_m);
  if (senses.somebody_nearer(foot)) return;  // lets the nearer one go first
  if (distance(front, at) > 0.6) return needs_.gait.walk_to(front, input);
  const world::EntityType& type = senses.entities().type_of(door);
  if (world::travelled(type.travel, door.log, senses.now()) > 0.9) {
    passing_ = true;
  } else if (!use_at_ || not_after(*use_at_, senses.now())) {
    use_door(input);
    use_at_ = senses.now() + ticks(1.5);
  }
}

void DoorUser::leave(const Vec3& behind, PlayerInput& input) {
  needs_.gait.walk_to(behind, input);
  if (distance(behind, needs_.senses.state().position) >= 0.6) return;
  if (needs_.random.unit() < 0.5) use_door(input);  // some players shut doors behind them
  needs_.activity.begin(Mode::Walk, needs_.random.between(3, 6));
  needs_.gait.turn_at(needs_.senses.now() + ticks(1));
}

}  // namespace perigee::bots
