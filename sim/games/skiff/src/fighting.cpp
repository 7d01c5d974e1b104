// Rifles, bows, wounds, deaths and respawns. An action has up to four parts: `step` decides when it
// may happen, `judge` finds the target, `commit` decides the result, `apply_event` applies it to
// the target.
#include "perigee/skiff/fighter.hpp"
#include "perigee/skiff/skiff.hpp"

namespace perigee::skiff {
namespace {

/// A respawn request that was lost in a failover is repeated.
constexpr std::int32_t ask_again_ticks = 60;

/// A death takes effect at the end of its tick: a shot of the same tick still counts.
bool died_before(const Fighter& fighter, Tick tick) {
  return fighter.dead() && before(Tick{fighter.died_at}, tick);
}

}  // namespace

void Skiff::step(world::ActorContext& context, world::GameState& state) const {
  auto& fighter = state.as<Fighter>();
  if (fighter.reload_ticks > 0) --fighter.reload_ticks;
  if (fighter.dead()) {
    context.mute();
    fighter.draw_ticks = 0;
    const std::int32_t overdue =
        ticks_between(Tick{fighter.died_at}, context.tick()) - tunables_.respawn_ticks;
    if (overdue >= 0 && overdue % ask_again_ticks == 0) {
      context.propose({.kind = begin_anew_wish}, 0);
    }
    return;
  }
  dig(context, fighter);
  const Vec3 eye = context.motion().position + Vec3{0, tunables_.eye_m, 0};
  if (context.wants(button_alternate) && fighter.reload_ticks == 0) {
    if (fighter.draw_ticks == 0) context.cue(draw_effect);
    if (++fighter.draw_ticks < tunables_.bow_draw_ticks) return;
    context.propose({.kind = arrow_wish,
                     .from = eye,
                     .direction = context.look(),
                     .speed_m_s = tunables_.arrow_m_s},
                    loose_effect);
    fighter.reload_ticks = tunables_.rifle_reload_ticks;
  }
  fighter.draw_ticks = 0;
  if (!context.wants(button_fire) || fighter.reload_ticks > 0) return;
  fighter.reload_ticks = tunables_.rifle_reload_ticks;
  context.propose({.kind = shot_wish, .from = eye, .direction = context.look()}, shot_effect);
}

void Skiff::apply_event(const world::GameEvent& event, world::GameState& state) const {
  auto& fighter = state.as<Fighter>();
  switch (event.kind) {
    case hit_news:
      if (fighter.dead() || --fighter.health > 0) return;
      fighter.died_at = event.tick.count;
      ++fighter.deaths;
      return;
    case kill_news:
      ++fighter.kills;
      return;
    case begin_anew_news:
      fighter.health = codec_.initial.as<Fighter>().health;
      return;
    case stone_news:
      if (fighter.stones < 0xffff) ++fighter.stones;
      return;
    default:
      return;
  }
}

std::uint8_t Skiff::hit_effect(std::uint8_t kind) const {
  return kind == arrow_wish ? flinch_effect : 0;
}

world::Judgement Skiff::judge(const world::DrawnScene& scene, const world::Outcome& outcome) const {
  if (outcome.wish.kind == begin_anew_wish) return {};
  const auto hit = scene.cast(tunables_.rifle_range_m);
  if (!hit || !hit->actor) return {.detail = shot_missed};
  return {.detail = shot_hit, .target = hit->entity};
}

world::Judgement Skiff::commit(world::Journal& journal, const world::Outcome& outcome,
                               const world::Judgement& judged) const {
  const auto actor = journal.state(outcome.actor);
  if (!actor && !outcome.flew) return judged;
  if (outcome.wish.edit) return commit_edit(journal, outcome, judged);
  if (outcome.wish.kind == begin_anew_wish) {
    if (!actor->as<Fighter>().dead()) return judged;
    journal.notify(outcome.actor, {.kind = begin_anew_news, .tick = outcome.tick});
    journal.respawn(outcome.actor);
    return judged;
  }
  // An arrow in flight still counts after the death of its shooter.
  if (!outcome.flew && died_before(actor->as<Fighter>(), outcome.tick)) {
    return {.reason = CancelReason::Overruled};
  }
  if (judged.detail != shot_hit) return judged;
  journal.send({.tick = outcome.tick,
                .index = outcome.wish.index,
                .kind = hit_message,
                .from = outcome.actor,
                .to = judged.target});
  return judged;
}

// The target's worker decides whether the target is still alive.
void Skiff::receive(world::Journal& journal, const world::Message& message, bool returned) const {
  if (returned) return;  // hits and kills do not matter once the actor is gone
  if (message.kind == kill_message) {
    journal.notify(message.to, {.kind = kill_news, .tick = message.tick, .other = message.from});
    return;
  }
  const auto target = journal.state(message.to);
  if (!target || target->as<Fighter>().dead()) return;
  journal.notify(message.to, {.kind = hit_news, .tick = message.tick, .other = message.from});
  if (!journal.state(message.to)->as<Fighter>().dead()) return;
  journal.send({.tick = message.tick,
                .index = message.index,
                .kind = kill_message,
                .from = message.to,
                .to = message.from});
  journal.write({.tick = message.tick,
                 .index = message.index,
                 .kind = kill_entry,
                 .actor = message.from,
                 .target = message.to});
}

// A kill is scored for both players, regardless of the wounds before it. The number of stones is
// restored.
void Skiff::recall(world::Recall& recall, const world::JournalEntry& entry) const {
  world::GameState* actor = recall.state(entry.actor);
  switch (entry.kind) {
    case kill_entry:
      if (actor != nullptr) ++actor->as<Fighter>().kills;
      if (world::GameState* target = recall.state(entry.target)) {
        auto& dead = target->as<Fighter>();
        dead.health = 0;
        dead.died_at = entry.tick.count;
        ++dead.deaths;
      }
      return;
    case dig_entry:
    case fill_entry: {
      const bool digs = entry.kind == dig_entry;
      recall.set_cell(entry.target, static_cast<std::uint32_t>(entry.amount), !digs);
      if (actor == nullptr) return;
      auto& stones = actor->as<Fighter>().stones;
      if (digs && stones < 0xffff) ++stones;
      if (!digs && stones > 0) --stones;
      return;
    }
    default:
      return;
  }
}

}  // namespace perigee::skiff
