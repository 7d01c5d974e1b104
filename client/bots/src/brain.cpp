#include "perigee/bots/brain.hpp"

#include <array>

#include "brain_units.hpp"

namespace perigee::bots {
namespace {

constexpr double door_seen_m = 35;
constexpr double lift_seen_m = 40;
constexpr double riding_share = 0.1;  // share of a walker's next activities
constexpr double ship_seen_m = 900;
constexpr double boarding_share = 0.3;

constexpr std::array all_deeds{&Deeds::ticks,     &Deeds::moving_ticks, &Deeds::jumps,
                               &Deeds::doors,     &Deeds::rides,        &Deeds::flights,
                               &Deeds::boardings, &Deeds::ticks_aboard, &Deeds::shots};
static_assert(sizeof(Deeds) == all_deeds.size() * sizeof(std::uint64_t));

/// A door slides sideways: an object that sinks, turns or rises is not one to walk through.
bool is_door(const world::EntityType& type) {
  const world::Travel& way = type.travel;
  return type.kind == world::EntityKind::Timeline && way.turn_rad == 0 && way.slide.y == 0;
}
/// A lift carries players: upwards, or endlessly.
bool is_lift(const world::EntityType& type) {
  return type.kind == world::EntityKind::Timeline &&
         (type.travel.slide.y > 0 || type.travel.endless);
}

}  // namespace

Deeds& Deeds::operator+=(const Deeds& more) {
  for (const auto count : all_deeds) this->*count += more.*count;
  return *this;
}
Deeds& Deeds::operator-=(const Deeds& less) {
  for (const auto count : all_deeds) this->*count -= less.*count;
  return *this;
}

Brain::Brain(const client::Client& client, std::uint64_t seed, double voyage_m, Temper temper)
    : client_(client),
      voyage_m_(voyage_m),
      temper_(temper),
      random_(seed),
      shots_(mix64(seed, std::uint64_t{1})) {}

bool Brain::is_ship(Handle handle) const {
  const client::ClientEntity* entity = client_.entities().find(handle);
  if (entity == nullptr) return false;
  const world::EntityType& type = client_.entities().type_of(*entity);
  return type.kind == world::EntityKind::Body && type.parent_eligible;
}

// Near ships have full motion, farther ones samples.
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
  motion.pose.position += motion.velocity * (ticks_between(newest.tick, tick) * seconds_per_tick);
  return motion;
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
  lifts_.clear();
  ship_ = no_entity;
  double ship_m = ship_seen_m;
  for (const auto& entity : entities.all()) {
    const world::EntityType& type = entities.type_of(*entity);
    if (is_door(type) && entity->parent == parent_) {
      const double m = distance(entity->spawn_local.position, state_.position);
      if (m < door_seen_m) doors_.push_back(entity->handle);
    } else if (is_lift(type) && entity->parent == parent_) {
      const double m = distance(entity->spawn_local.position, state_.position);
      if (m < lift_seen_m) lifts_.push_back(entity->handle);
    } else if (is_ship(entity->handle) && entity->handle != parent_ &&
               type.inertia == world::Inertia::None) {  // not onto a carousel
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
  if (temper_ == Temper::Settled && parent_ == home_) return begin(Mode::Walk, 10);
  if (is_ship(parent_)) {
    if (mode_ == Mode::Aboard) return begin(Mode::Home, 60);
    return begin(Mode::Aboard, random_.between(10, 20));
  }
  if (parent_ != home_ || distance(state_.position, home_local_) > 150) {
    return begin(Mode::Home, 60);
  }
  if (voyage_m_ > 0 && mode_ == Mode::Walk) return begin(Mode::Voyage, 60);
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
  if (mode_ == Mode::Walk && !lifts_.empty() && dice < 0.5 + riding_share) {
    lift_ = lifts_[random_.below(static_cast<std::uint32_t>(lifts_.size()))];
    riding_ = false;
    return begin(Mode::Ride, 20);
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
    case Mode::Ride:
      return "ride";
    case Mode::Fly:
      return "fly";
    case Mode::Board:
      return "board";
    case Mode::Aboard:
      return "aboard";
    case Mode::Home:
      return "home";
    case Mode::Voyage:
      return "voyage";
  }
  return "";
}

void Brain::press(PlayerInput& input, std::uint16_t button) const {
  input.samples.push_back({static_cast<std::uint8_t>(64), button, ActionKind::None, no_entity});
}

void Brain::use(PlayerInput& input, Handle target) const {
  input.samples.push_back({128, 0, ActionKind::Use, target});
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
    deck_spot_ = {random_.between(-6, 6), 8, random_.between(-24, 24)};
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
    case Mode::Ride:
      ride(input);
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
    case Mode::Voyage:
      voyage(tick, input);
      break;
  }
  shoot_now_and_then(input);
  return input;
}

}  // namespace perigee::bots
