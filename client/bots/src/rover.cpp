#include "perigee/bots/rover.hpp"

#include "brain_units.hpp"
#include "perigee/bots/steering.hpp"

namespace perigee::bots {
namespace {

constexpr double body_seen_m = 80;
constexpr double beside_m = 4;
constexpr double rove_m_s = 6;

}  // namespace

void Rover::begin() {
  auto& [senses, random, activity, look, deeds] = needs_;
  const client::EntityStore& entities = senses.entities();
  body_ = no_entity;
  std::uint32_t seen = 0;
  for (const auto& entity : entities.all()) {
    if (entities.type_of(*entity).kind != world::EntityKind::Body || entity->tracks.empty())
      continue;
    const FramedMotion newest = entities.latest(*entity);
    if (newest.frame != no_entity) continue;
    if (distance(newest.pose.position, senses.world()) > body_seen_m) continue;
    if (random.below(++seen) == 0) body_ = entity->handle;
  }
  const auto part = [&random = random] { return random.between(-1, 1); };
  beside_m_ = normalized({part(), part(), part()}, {0, 1, 0}) * beside_m;
  if (body_ != no_entity) ++deeds.flights;
  activity.begin(Mode::Rove, random.between(4, 9));
}

void Rover::rove(PlayerInput& input) {
  const Senses& senses = needs_.senses;
  if (!senses.flying()) return press(input, button_jetpack);
  const client::ClientEntity* body = senses.entities().find(body_);
  if (body == nullptr || body->tracks.empty()) return needs_.activity.begin(Mode::Rove, 0);
  const FramedMotion newest = senses.entities().latest(*body);
  if (newest.frame != no_entity) return needs_.activity.begin(Mode::Rove, 0);
  const double ahead_s = ticks_between(newest.tick, senses.now()) * seconds_per_tick;
  const Motion& parent = senses.parent_motion();
  const Vec3 target = newest.pose.position + newest.velocity * ahead_s + beside_m_;
  steer(senses, needs_.look, inverse_transform(parent.pose, target),
        rotate_back(parent.pose.rotation, newest.velocity - parent.velocity), rove_m_s, input);
}

}  // namespace perigee::bots
