// A tick of a runner. It runs on the player's machine and on the worker, possibly many times, so it
// depends on its arguments alone. Decisions of workers arrive as events with a tick that is ahead
// of all clients: a client predicts blows and speeds like a jump.
#include <algorithm>

#include "game.hpp"
#include "perigee/world/ray.hpp"

namespace hover_tag {

using namespace perigee;
using world::ActorContext;

namespace {

void count_down(std::uint8_t& ticks) {
  if (ticks > 0) --ticks;
}

/// A match begins without scores and torches. A break takes all torches away.
void keep_time(const MatchTime& now, Runner& runner) {
  if (now.phase == Phase::Break) runner.torch = 0;
  if (now.phase == Phase::Break || runner.match == now.match) return;
  runner.match = now.match;
  runner.score = 0;
  runner.tagged = runner.powers = 0;
  runner.boost_from = runner.torch_from = runner.torch_until = 0;
}

void hover(ActorContext& context, Runner& runner) {
  if ((context.motion().flags & actor_grounded) != 0) {
    runner.fuel = std::min<std::uint8_t>(runner.fuel + 1U, hover_fuel_ticks);
    return;
  }
  if (!context.wants(button_jump) || runner.fuel == 0) return;
  --runner.fuel;
  if (context.motion().velocity.y < hover_speed_m_s) context.impulse({0, hover_m_s, 0});
}

void blow(ActorContext& context, const Vec3& direction) {
  context.impulse(direction * blow_m_s + Vec3{0, blow_up_m_s, 0});
  context.cue(blow_cue);
}

void throw_ball_if_asked(ActorContext& context, Runner& runner) {
  if (!context.wants(button_fire) || runner.throw_wait > 0) return;
  const Vec3 ahead = world::look_direction(context.input().yaw, 0);
  // The worker spawns the ball in the world's frame.
  const Vec3 place = transform(context.record().parent_motion.pose,
                               context.motion().position + ahead * ball_ahead_m);
  runner.throw_wait = throw_wait_ticks;
  context.propose({.kind = throw_ball, .amount = context.input().yaw, .from = place}, throw_cue);
}

void meet_ball(ActorContext& context, Handle ball, Runner& runner) {
  const Vec3 velocity = context.velocity_of(ball).value_or(Vec3{});
  // It rests before and after its flight: then clients may see one that is not there, or the
  // reverse.
  if (runner.hit_wait > 0 || length(velocity) < ball_m_s / 2) return;
  runner.hit_wait = hit_wait_ticks;
  blow(context, normalized(velocity));
}

void meet_runner(ActorContext& context, const world::Contact& contact, Runner& runner) {
  if (runner.torch == 0 || runner.tag_wait > 0) return;
  runner.tag_wait = tag_wait_ticks;
  const double turn = arc_tangent(-contact.normal.x, -contact.normal.z) / (2 * pi);
  const auto yaw = static_cast<std::uint16_t>(static_cast<std::int32_t>(turn * 65536));
  context.propose({.kind = tag, .target = contact.id, .amount = yaw | runner.team << 16}, tag_cue);
}

}  // namespace

void Game::step(ActorContext& context, world::GameState& state) const {
  auto& runner = state.as<Runner>();
  const MatchTime now = match_time(rules_, context.tick());
  keep_time(now, runner);
  count_down(runner.throw_wait);
  count_down(runner.hit_wait);
  count_down(runner.tag_wait);
  const bool fast = now.phase == Phase::Match && runner.fast(context.tick());
  if (!fast) context.limit_speed(usual_speed_share);
  hover(context, runner);
  if (runner.blow_at != 0 && context.tick() == Tick{runner.blow_at}) {
    blow(context, world::look_direction(runner.blow_yaw, 0));
  }
  if (now.phase == Phase::Match) throw_ball_if_asked(context, runner);
}

void Game::after_motion(ActorContext& context, world::GameState& state) const {
  auto& runner = state.as<Runner>();
  const bool plays = match_time(rules_, context.tick()).phase == Phase::Match;
  for (const world::TriggerContact& trigger : context.triggers()) {
    if (trigger.type == ball_row) meet_ball(context, trigger.id, runner);
    if (trigger.type == torch_row && plays && runner.torch == 0 && runner.tag_wait == 0) {
      runner.tag_wait = tag_wait_ticks;  // also the time until it asks again
      context.propose({.kind = take_torch, .target = trigger.id}, take_cue);
    }
    if (!trigger.entered) continue;
    if (trigger.type == pad_row) {
      context.impulse({0, pad_m_s, 0});
      context.cue(hop_cue);
    }
    if (trigger.type == power_row && plays) {
      context.propose({.kind = take_power, .target = trigger.id}, take_cue);
    }
  }
  for (const world::Contact& contact : context.contacts()) {
    if (contact.actor && plays) meet_runner(context, contact, runner);
  }
}

void Game::apply_event(const world::GameEvent& event, world::GameState& state) const {
  auto& runner = state.as<Runner>();
  switch (event.kind) {
    case got_torch:
      runner.torch = 1;
      runner.tag_wait = tag_wait_ticks;
      runner.torch_from = event.tick.count;
      runner.torch_until = (event.tick + rules_.match_ticks).count;  // the longest possible time
      if (event.amount < 0) break;
      runner.blow_at = event.tick.count;
      runner.blow_yaw = static_cast<std::uint16_t>(event.amount);
      ++runner.tagged;
      break;
    case lost_torch:
      runner.torch = 0;
      runner.tag_wait = no_tag_back_ticks;
      break;
    case back_torch:
      runner.torch = 1;
      runner.tag_wait = std::min(runner.tag_wait, tag_wait_ticks);
      break;
    case point:
      if (runner.torch == 0) runner.torch_until = event.tick.count;  // else it has another one
      if (match_time(rules_, event.tick).match == runner.match) ++runner.score;
      break;
    case boost:
      ++runner.powers;
      // A second one during a boost, which would have to cut the first, adds nothing.
      if (runner.boost_from == 0 ||
          ticks_between(Tick{runner.boost_from}, event.tick) >= boost_ticks + boost_gap_ticks) {
        runner.boost_from = event.tick.count;
      }
      break;
    case joins:
      runner.team = static_cast<std::uint8_t>(event.amount);
      break;
    case report:
      runner.reported = static_cast<std::uint16_t>(event.amount);
      break;
    case placed:
      runner.place = static_cast<std::uint8_t>(event.amount);
      runner.won = static_cast<std::uint8_t>((event.amount >> 8) & 1);
      runner.final_score = static_cast<std::uint16_t>(event.amount >> 16);
      break;
    case career:
      runner.place = 0;
      runner.wins = static_cast<std::uint16_t>(event.amount);
      runner.matches = static_cast<std::uint16_t>(event.amount >> 16);
      break;
    default:
      break;
  }
}

}  // namespace hover_tag
