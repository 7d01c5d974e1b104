// On foot: wandering, avoiding others, doors.
#include "brain_units.hpp"
#include "perigee/bots/brain.hpp"

namespace perigee::bots {
namespace {

constexpr double front_m = 1.4;       // standing place for opening a door
constexpr double queue_m = 5;         // in front of a door, the nearest goes first
constexpr double elbow_room_m = 2.5;  // turns aside from nearer ones

}  // namespace

template <class Tell>
void Brain::for_each_body(Tell tell) const {
  for (const auto& entity : client_.entities().all()) {
    if (entity->samples.empty() || is_ship(entity->handle)) continue;
    const Snapshot& newest = entity->samples.newest();
    if (entity->handle == client_.prediction().avatar()) continue;
    if (newest.frame == parent_) {
      tell(newest.pose.position);
    } else if (newest.frame == no_entity) {
      tell(inverse_transform(parent_motion_.pose, newest.pose.position));
    }
  }
}

bool Brain::somebody_nearer(const Vec3& place) const {
  const double own = distance(place, state_.position);
  bool nearer = false;
  for_each_body([&](const Vec3& other) {
    const double theirs = distance(place, other);
    nearer |= own < queue_m && theirs < queue_m && theirs < own;
  });
  return nearer;
}

// Players avoid walking into each other, or into crates.
bool Brain::somebody_ahead() const {
  const SinCos heading = sin_cos(heading_rad_);
  const Vec3 ahead{heading.sin, 0, heading.cos};
  bool found = false;
  for_each_body([&](const Vec3& other) {
    const Vec3 way = other - state_.position;
    found |= length(way) < elbow_room_m && dot(way, ahead) > 0;
  });
  return found;
}

void Brain::walk_to(const Vec3& target, PlayerInput& input) {
  const Vec3 way = target - state_.position;
  heading_rad_ = arc_tangent(way.x, way.z);
  if (length(way) > elbow_room_m && somebody_ahead()) heading_rad_ += 0.9;
  input.yaw = yaw_of(heading_rad_);
  input.forward = full_axis;
}

void Brain::walk(PlayerInput& input) {
  if (flying() && mode_ == Mode::Walk) {
    begin(Mode::Home, 30);
    return;
  }
  const bool aboard = is_ship(parent_);
  if (aboard && flying()) {
    // Down onto the deck.
    steer({0, -2, 0}, {}, 6, input);
    if (state_.position.y < 4 && length(to_double(state_.velocity)) < 8) {
      press(input, button_jetpack);
    }
    return;
  }
  if (not_after(turn_at_, now_)) {
    heading_rad_ = random_.between(-pi, pi);
    turn_at_ = now_ + ticks(random_.between(0.5, 2));
    run_ = random_.unit() < 0.3;
    const double leash = aboard ? 15 : 60;
    const Vec3 middle = aboard ? Vec3{} : home_local_;
    if (distance({state_.position.x, 0, state_.position.z}, {middle.x, 0, middle.z}) > leash) {
      walk_to(middle, input);  // faces home
    }
  }
  if (somebody_ahead()) heading_rad_ += random_.between(0.5, 1);
  input.yaw = yaw_of(heading_rad_);
  input.forward = full_axis;
  if (run_) input.held = button_run;
  if (grounded() && random_.unit() < 0.25 / default_tick_rate_hz) {
    press(input, button_jump);
    ++deeds_.jumps;
  }
}

// Onto the lift, up or round with it for a while, and off.
void Brain::ride(PlayerInput& input) {
  const client::ClientEntity* lift = client_.entities().find(lift_);
  const bool there = lift != nullptr && (parent_ == lift->parent || parent_ == lift_);
  if (!there || flying()) return begin(Mode::Home, 30);
  blocked_ticks_ = (state_.flags & actor_blocked) != 0 ? blocked_ticks_ + 1 : 0;
  if (blocked_ticks_ > ticks(1)) {  // an obstacle is in the way: give up
    blocked_ticks_ = 0;
    return begin(Mode::Walk, 4);
  }
  const Vec3 middle = parent_ == lift_ ? Vec3{} : lift->spawn_local.position;
  const Vec3 way = middle - state_.position;
  if (!riding_) {
    riding_ = state_.ground == lift_ && way.x * way.x + way.z * way.z < 2;
    if (!riding_) return walk_to(middle, input);
    ++deeds_.rides;
    begin(Mode::Ride, random_.between(5, 9));
    if (!client_.entities().type_of(*lift).travel.endless) use(input, lift_);
  }
  input.yaw = yaw_of(heading_rad_);  // looks where it came from
}

// To the front of the door, open it if it is shut, wait, and on to the other side.
void Brain::go_through_door(PlayerInput& input) {
  const client::ClientEntity* door = client_.entities().find(door_);
  if (door == nullptr || door->parent != parent_ || flying()) return begin(Mode::Walk, 3);
  blocked_ticks_ = (state_.flags & actor_blocked) != 0 ? blocked_ticks_ + 1 : 0;
  if (blocked_ticks_ > ticks(1)) {  // an obstacle is in the way: give up
    blocked_ticks_ = 0;
    turn_at_ = now_;
    return begin(Mode::Walk, 4);
  }
  const world::EntityType& type = client_.entities().type_of(*door);
  const Vec3 across = rotate(door->spawn_local.rotation, Vec3{1, 0, 0});
  const Vec3 foot{door->spawn_local.position.x, state_.position.y, door->spawn_local.position.z};
  if (!passing_door_) {
    side_ = dot(state_.position - foot, across) < 0 ? -1 : 1;
    const Vec3 front = foot + across * (side_ * front_m);
    if (somebody_nearer(foot)) return;  // lets the nearer one go first
    if (distance(front, state_.position) > 0.6) return walk_to(front, input);
    if (world::travelled(type.travel, door->log, now_) > 0.9) {
      passing_door_ = true;
    } else if (not_after(use_at_, now_)) {
      use(input, door_);
      ++deeds_.doors;
      use_at_ = now_ + ticks(1.5);
    }
    return;
  }
  const Vec3 behind = foot - across * (side_ * 2 * front_m);
  walk_to(behind, input);
  if (distance(behind, state_.position) < 0.6) {
    if (random_.unit() < 0.5) {  // some players shut doors behind them
      use(input, door_);
      ++deeds_.doors;
    }
    begin(Mode::Walk, random_.between(3, 6));
    turn_at_ = now_ + ticks(1);
  }
}

}  // namespace perigee::bots
