#include "pilot.hpp"

#include <limits>

#include "perigee/base/hash.hpp"
#include "states.hpp"
#include "steering.hpp"

namespace hover_tag {

using namespace perigee;

namespace {

constexpr double throw_m = 15;
constexpr double flee_m = 4;
constexpr std::int32_t errand_ticks = 8 * 60;  ///< until it looks for something else

/// The nearest thing of a kind so far.
struct Nearest {
  Vec3 way;
  double away_m = std::numeric_limits<double>::infinity();
  void offer(const Vec3& other_way) {
    if (length(other_way) >= away_m) return;
    way = other_way;
    away_m = length(other_way);
  }
  bool any() const { return away_m < std::numeric_limits<double>::infinity(); }
};

struct Around {
  Nearest prey, carrier, torch, errand;
};

Around look_around(const client::Client& client, const Vec3& own, const Runner& self, Tick tick) {
  const client::EntityStore& entities = client.entities();
  const Handle avatar = client.prediction().avatar();
  const auto errand = mix64(avatar, tick.count / errand_ticks);
  Around out;
  std::uint64_t errand_rank = 0;
  for (const auto& entity : entities.all()) {
    if (entity->type == runner_row && entity->handle != avatar) {
      const auto at = entities.expected_at(*entity, tick);
      const auto state = client.game_state(entity->handle);
      if (!at || !state) continue;
      const auto& other = state->as<Runner>();
      if (!self.opponent(other.team)) continue;
      if (other.torch != 0) out.carrier.offer(at->position - own);
      if (other.torch == 0) out.prey.offer(at->position - own);
    }
    if (entity->type == torch_row) out.torch.offer(entity->spawn_local.position - own);
    if (entity->type != pad_row && entity->type != power_row) continue;
    // Any one of them, another one for each bot and errand.
    if (const std::uint64_t rank = mix64(errand, entity->handle); rank > errand_rank) {
      errand_rank = rank;
      out.errand = {};
      out.errand.offer(entity->spawn_local.position - own);
    }
  }
  return out;
}

}  // namespace

PlayerInput controls(const client::Client& client, Tick tick) {
  PlayerInput input{.tick = tick, .forward = 127};
  const client::Prediction& prediction = client.prediction();
  const auto frame = client.entities().motion_at(prediction.parent(), tick);
  if (!frame) return input;
  const ActorState& motion = prediction.state();
  const auto& self = prediction.game_state().as<Runner>();
  const Around around = look_around(client, transform(frame->pose, motion.position), self, tick);
  const bool carries = self.torch != 0;
  if (carries && around.prey.any()) {
    input.yaw = yaw_towards(around.prey.way);
  } else if (around.carrier.away_m < flee_m) {
    input.yaw = yaw_towards(-around.carrier.way);
  } else {
    const Nearest& goal = !carries && around.torch.any() ? around.torch : around.errand;
    input.yaw = yaw_towards(goal.way);
  }
  if (!carries && around.carrier.away_m < throw_m && self.throw_wait == 0) {
    input.yaw = yaw_towards(around.carrier.way);
    input.held = button_fire;
  }
  Random random(mix64(prediction.avatar(), tick.count));
  if ((motion.flags & actor_blocked) != 0 || random.below(150) == 0) jump(input);
  if (motion.velocity.y > 0) input.held |= button_jump;
  return input;
}

}  // namespace hover_tag
