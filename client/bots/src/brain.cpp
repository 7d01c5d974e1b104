#include "perigee/bots/brain.hpp"

#include <algorithm>
#include <cmath>

namespace perigee::bots {
namespace {

constexpr double ticks_per_s = default_tick_rate_hz;
constexpr double door_seen_m = 35;
constexpr double ship_seen_m = 900;
constexpr double boarding_share = 0.3;
constexpr double jump_off_m = 110;    // a ship this close behind: time to match its speed
constexpr double front_m = 1.4;       // where one stands to open a door
constexpr double queue_m = 5;         // before a door, the nearest goes first
constexpr double elbow_room_m = 2.5;  // nearer than this one turns aside
constexpr std::int8_t full = 127;

std::uint16_t yaw_of(double radians) {
  const double turns = radians / (2 * pi);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>((turns - std::floor(turns)) * 65536) &
                                    0xffff);
}
std::int8_t axis(double value) {
  return static_cast<std::int8_t>(std::clamp(value, -1.0, 1.0) * full);
}
std::int32_t ticks(double seconds) { return static_cast<std::int32_t>(seconds * ticks_per_s); }

}  // namespace

Brain::Brain(const client::Client& client, std::uint64_t seed) : client_(client), random_(seed) {}

bool Brain::is_ship(Handle handle) const {
  const client::ClientEntity* entity = client_.entities().find(handle);
  if (entity == nullptr) return false;
  const world::EntityType& type = client_.entities().type_of(*entity);
  return type.kind == world::EntityKind::Body && type.parent_eligible;
}

// Near ships are known with their full motion, farther ones by their samples.
std::optional<Motion> Brain::ship_motion(Handle handle, Tick tick) const {
  const client::EntityStore& entities = client_.entities();
  const client::ClientEntity* entity = entities.find(handle);
  if (entity == nullptr) return std::nullopt;
  if (entity->has_motion && ticks_between(entity->motion_tick, tick) < 60) {
    return entities.motion_at(handle, tick);
  }
  if (entity->samples.empty()) return std::nullopt;
  const Snapshot& newest = entity->samples.newest();
  Motion motion;
  motion.pose = newest.pose;
  motion.velocity = newest.velocity;
  return world::extrapolate(motion, ticks_between(newest.tick, tick));
}

void Brain::look_around(Tick tick) {
  const client::Prediction& prediction = client_.prediction();
  const client::EntityStore& entities = client_.entities();
  now_ = tick;
  state_ = prediction.state();
  const Handle before = parent_;
  parent_ = prediction.parent();
  parent_motion_ = entities.motion_at(parent_, tick).value_or(Motion{});
  world_ = transform(parent_motion_.pose, state_.position);
  if (!started_) {
    started_ = true;
    home_ = parent_;
    home_local_ = state_.position;
    ends_ = turn_at_ = use_at_ = tick;
  }
  if (before != parent_ && is_ship(parent_)) ++deeds_.boardings;
  ++deeds_.ticks;
  if (length(to_double(state_.velocity)) > 0.5) ++deeds_.moving_ticks;
  if (is_ship(parent_)) ++deeds_.ticks_aboard;

  doors_.clear();
  ship_ = no_entity;
  double ship_m = ship_seen_m;
  for (const auto& entity : entities.all()) {
    const world::EntityType& type = entities.type_of(*entity);
    if (type.kind == world::EntityKind::Timeline && entity->parent == parent_) {
      const double m = distance(entity->spawn_local.position, state_.position);
      if (m < door_seen_m) doors_.push_back(entity->handle);
    } else if (is_ship(entity->handle) && entity->handle != parent_) {
      const auto motion = ship_motion(entity->handle, tick);
      if (!motion) continue;
      const Vec3 to_ship = motion->pose.position - world_;
      const bool coming = dot(to_ship, motion->velocity) < 0;
      if (length(to_ship) < ship_m && coming) {
        ship_m = length(to_ship);
        ship_ = entity->handle;
      }
    }
  }
}

void Brain::begin(Mode mode, double seconds) {
  mode_ = mode;
  ends_ = now_ + ticks(seconds);
}

void Brain::choose(Tick) {
  const double dice = random_.unit();
  if (is_ship(parent_)) {
    if (mode_ == Mode::Aboard) return begin(Mode::Home, 60);
    return begin(Mode::Aboard, random_.between(10, 20));
  }
  if (parent_ != home_ || distance(state_.position, home_local_) > 150) {
    return begin(Mode::Home, 60);
  }
  if (ship_ != no_entity && wants_aboard_) {
    wants_aboard_ = false;
    boarding_ = ship_;
    return begin(Mode::Board, 50);
  }
  if (mode_ == Mode::Walk && !doors_.empty() && dice < 0.5) {
    door_ = doors_[random_.below(static_cast<std::uint32_t>(doors_.size()))];
    passing_door_ = false;
    return begin(Mode::Door, 20);
  }
  if (mode_ == Mode::Walk && dice > 0.85) {
    ++deeds_.flights;
    return begin(Mode::Fly, random_.between(3, 6));
  }
  if (flying()) return begin(Mode::Home, 30);
  begin(Mode::Walk, random_.between(3, 7));
}

const char* Brain::mode_name() const {
  switch (mode_) {
    case Mode::Walk:
      return "walk";
    case Mode::Door:
      return "door";
    case Mode::Fly:
      return "fly";
    case Mode::Board:
      return "board";
    case Mode::Aboard:
      return "aboard";
    case Mode::Home:
      return "home";
  }
  return "";
}

void Brain::press(PlayerInput& input, std::uint16_t button) const {
  input.samples.push_back({static_cast<std::uint8_t>(64), button, ActionKind::None, no_entity});
}

void Brain::use(PlayerInput& input, Handle target) {
  input.samples.push_back({128, 0, ActionKind::Use, target});
  ++deeds_.doors;
}

PlayerInput Brain::sample(Tick tick) {
  PlayerInput input;
  input.tick = tick;
  look_around(tick);
  if (ship_ == no_entity) {
    considered_ = false;
  } else if (!considered_) {  // once per passing ship
    considered_ = true;
    wants_aboard_ = random_.unit() < boarding_share;
  }
  const bool idle = mode_ == Mode::Walk || mode_ == Mode::Door;
  const bool passing = ship_ != no_entity && wants_aboard_ && parent_ == home_ && idle;
  if (not_after(ends_, tick) || (passing && random_.unit() < 0.005)) choose(tick);
  switch (mode_) {
    case Mode::Walk:
    case Mode::Aboard:
      walk(input);
      break;
    case Mode::Door:
      go_through_door(input);
      break;
    case Mode::Fly:
      fly(input);
      break;
    case Mode::Board:
      board(tick, input);
      break;
    case Mode::Home:
      go_home(tick, input);
      break;
  }
  return input;
}

void Brain::walk_to(const Vec3& target, PlayerInput& input) {
  const Vec3 way = target - state_.position;
  heading_rad_ = arc_tangent(way.x, way.z);
  if (length(way) > elbow_room_m && somebody_ahead()) heading_rad_ += 0.9;
  input.yaw = yaw_of(heading_rad_);
  input.forward = full;
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
  input.forward = full;
  if (run_) input.held = button_run;
  if (grounded() && random_.unit() < 0.25 / ticks_per_s) {
    press(input, button_jump);
    ++deeds_.jumps;
  }
}

// To the front of it, open it if it is shut, wait, and on to the other side.
void Brain::go_through_door(PlayerInput& input) {
  const client::ClientEntity* door = client_.entities().find(door_);
  if (door == nullptr || door->parent != parent_ || flying()) return begin(Mode::Walk, 3);
  blocked_ticks_ = (state_.flags & actor_blocked) != 0 ? blocked_ticks_ + 1 : 0;
  if (blocked_ticks_ > ticks(1)) {  // something is in the way: never mind
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
    if (somebody_nearer(foot)) return;  // after you
    if (distance(front, state_.position) > 0.6) return walk_to(front, input);
    if (world::door_opening(type.door, door->log, now_) > 0.9) {
      passing_door_ = true;
    } else if (not_after(use_at_, now_)) {
      use(input, door_);
      use_at_ = now_ + ticks(1.5);
    }
    return;
  }
  const Vec3 behind = foot - across * (side_ * 2 * front_m);
  walk_to(behind, input);
  if (distance(behind, state_.position) < 0.6) {
    if (random_.unit() < 0.5) use(input, door_);  // some people shut doors behind them
    begin(Mode::Walk, random_.between(3, 6));
    turn_at_ = now_ + ticks(1);
  }
}

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

// People do not walk into each other, or into crates, if they can help it.
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

void Brain::steer(const Vec3& target, const Vec3& target_velocity, double speed_max,
                  PlayerInput& input) const {
  const Vec3 way = target - state_.position;
  const double away = length(way);
  // As fast as the brakes (half of the thrust) can still stop it there.
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

// Waits hovering where the ship will come by, then runs along and drops onto its deck.
void Brain::board(Tick tick, PlayerInput& input) {
  if (is_ship(parent_)) return begin(Mode::Aboard, random_.between(10, 20));
  const auto ship = ship_motion(boarding_, tick);
  if (!ship) return begin(Mode::Home, 30);
  if (!flying()) return press(input, button_jetpack);
  const Vec3 course = normalized(ship->velocity);
  const double ahead_m = dot(world_ - ship->pose.position, course);
  Vec3 target = transform(ship->pose, Vec3{0, 8, 0});
  Vec3 velocity = ship->velocity;
  if (ahead_m > jump_off_m) {
    target += course * ahead_m;
    velocity = {};
  }
  // In the frame of whatever the bot belongs to now.
  steer(inverse_transform(parent_motion_.pose, target),
        rotate_back(parent_motion_.pose.rotation, velocity - parent_motion_.velocity), 18, input);
}

void Brain::go_home(Tick tick, PlayerInput& input) {
  if (!flying()) {
    if (grounded() && parent_ == home_) return begin(Mode::Walk, 4);
    return press(input, button_jetpack);
  }
  if (is_ship(parent_) && state_.position.y < 9) {  // clear of its walls first
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
