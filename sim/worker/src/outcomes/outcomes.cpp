#include "perigee/worker/outcomes/outcomes.hpp"

#include <algorithm>
#include <utility>

#include "messages/message_exchange.hpp"
#include "outcomes/commit_context.hpp"
#include "outcomes/worker_think_context.hpp"
#include "perigee/base/hash.hpp"

namespace perigee::worker {
namespace {

/// If an input was applied late, its shot was aimed that much earlier.
std::uint16_t view_age(const world::StepRecord& record) {
  const std::int32_t late = record.guessed ? 0 : ticks_between(record.input.tick, record.tick);
  return static_cast<std::uint16_t>(std::clamp(record.input.view_age + late * 16, 0, 65535));
}

world::Outcome outcome_of(const Player& player, const world::StepRecord& record,
                          const world::Proposal& wish) {
  return {.wish = wish,
          .actor = player.avatar,
          .identity = player.identity,
          .tick = record.tick,
          .parent = record.parent,
          .view_age = view_age(record),
          .steers = (record.after.flags & actor_at_controls) != 0};
}

/// The client's name for the tick.
Tick name_of(const Player& player, Tick tick) {
  const world::StepRecord* record = player.records.find(tick);
  const bool real = record != nullptr && !record->guessed;
  return real ? record->input.tick : tick - player.inputs.delay_ticks();
}

constexpr std::size_t place_of(std::uint8_t index) { return index - world::first_cue_index; }

}  // namespace

Outcomes::Outcomes(Needs needs)
    : needs_(std::move(needs)),
      projectiles_(needs_.settings.projectiles_max),
      raycasts_({.cluster = needs_.cluster,
                 .world = needs_.world,
                 .outputs = needs_.outputs,
                 .counts = needs_.counts,
                 .judge =
                     [this](const auto& scene, const auto& outcome) {
                       return needs_.checked_game.judge(scene, outcome);
                     },
                 .commit = [this](const auto& outcome,
                                  const auto& judgement) { commit_remote(outcome, judgement); }}) {
  committing_.reserve(needs_.settings.actors_max() * world::cues_max);
}

void Outcomes::receive(const world::Message& message, bool returned) {
  CommitContext context(*this, needs_);
  context.answer(message.from);
  needs_.game.receive(context, message, returned);
}

void Outcomes::think() {
  WorkerThinkContext context(*this, needs_);
  needs_.game.think(context);
}

world::GameState Outcomes::present_game(const Player& player) const {
  world::GameState state = player.game;
  for (const world::GameEvent& event : player.events) needs_.game.apply_event(event, state);
  return state;
}

world::GameState Outcomes::game_without_pending(const Player& player, Tick next) const {
  world::GameState state = present_game(player);
  RefundContext context(needs_.game, player.avatar, state, next);
  for (Tick tick = next - std::max(needs_.settings.inputs.window_ticks, 1); before(tick, next);
       ++tick) {
    const world::StepRecord* record = player.records.find(tick);
    if (record == nullptr) continue;
    for (const world::Proposal& wish : record->wishes.proposals) {
      if (!wish.edit) continue;
      needs_.game.commit(context, outcome_of(player, *record, wish),
                         {.reason = CancelReason::Overruled});
    }
  }
  return state;
}

Judged Outcomes::judged(const world::Outcome& outcome) {
  if (outcome.wish.edit) return {.judgement = needs_.ground_edits.judged(outcome)};
  if (outcome.wish.speed_m_s > 0) {
    const world::DrawnScene in_flight(needs_.world, outcome, std::optional<world::DrawnHit>());
    return {.judgement = needs_.checked_game.judge(in_flight, outcome)};
  }
  const world::DrawnScene scene(needs_.world, outcome);
  if (scene.clamped()) needs_.counts.add(metric.views_clamped);
  Judged out{.judgement = needs_.checked_game.judge(scene, outcome)};
  out.raycast = scene.raycast();
  out.looked_m = scene.looked_m();
  return out;
}

void Outcomes::send_judgement(Player& player, Tick tick, std::uint8_t index,
                              const world::Judgement& judgement) {
  auto* of_tick = player.sent.find(tick);
  if (of_tick == nullptr) {
    of_tick = &player.sent.claim(tick);
    of_tick->fill(std::nullopt);
  }
  std::optional<world::Judgement>& sent = (*of_tick)[place_of(index)];
  if (sent == judgement) return;
  if (sent && !player.lost) needs_.counts.add(metric.verdicts_changed);
  sent = judgement;  // others' clients get its cues, also those of an NPC
  if (player.lost) return;
  const bool counts = judgement.reason == CancelReason::None;
  const EffectEvent event{name_of(player, tick), index,
                          counts ? Verdict::Confirmed : Verdict::Cancelled, judgement.reason,
                          judgement.detail};
  needs_.observers.send(player.session, event, false);
}

void Outcomes::judge_proposals(Player& player, const world::StepRecord& record) {
  if (record.guessed) return;
  for (const world::Proposal& wish : record.wishes.proposals) {
    const auto* sent = player.sent.find(record.tick);
    if (sent != nullptr && (*sent)[place_of(wish.index)]) continue;
    const world::Outcome outcome = outcome_of(player, record, wish);
    // Sent at once. If a late input withdraws the shot, clients still render the projectile.
    if (wish.speed_m_s > 0) needs_.observers.broadcast(outcome.actor, launch_event(outcome), true);
    const Judged so_far = judged(outcome);
    if (raycasts_.leaves(so_far)) continue;
    send_judgement(player, record.tick, wish.index, so_far.judgement);
  }
}

Tick Outcomes::settled() const {
  return needs_.next - 1 - std::max(needs_.settings.inputs.window_ticks, 1);
}

void Outcomes::commit(Tick tick) {
  commit_outcomes(tick);
  needs_.ground_edits.end_tick(tick);
  projectiles_.fly(needs_.world, tick, [&](const world::Outcome& shot, const world::DrawnHit& hit) {
    commit_hit(shot, hit, tick);
  });
}

void Outcomes::commit_hit(const world::Outcome& shot, const world::DrawnHit& hit, Tick tick) {
  world::Outcome met = shot;
  met.tick = tick;
  met.flew = true;
  CommitContext context(*this, needs_);
  context.answer(shot.actor);
  const world::Judgement judged =
      needs_.checked_game.judge(world::DrawnScene(needs_.world, met, hit), met);
  const world::Judgement became = needs_.checked_game.commit(context, met, judged);
  const std::uint8_t index = shot.wish.index;
  const auto send = [&](Handle avatar, const WorldEvent& event, bool urgent) {
    const Player* player = needs_.players.find_avatar(avatar);
    if (player != nullptr && !player->lost) needs_.observers.send(player->session, event, urgent);
  };
  // The actor that was hit: its client may have rendered the hit already.
  if (hit.actor && became.reason == CancelReason::None) {
    send(hit.entity, ProjectileHitEvent{shot.actor, shot.tick, index, shot.wish.kind, tick}, true);
  }
  send(shot.actor, EffectEvent{shot.tick, index, Verdict::Confirmed, became.reason, became.detail},
       false);
}

void Outcomes::settle_late() {
  Tick oldest = settled() + 1;
  for (const Player& player : needs_.players) {
    if (before(player.committed, oldest)) oldest = player.committed;
  }
  for (Tick tick = oldest; not_after(tick, settled()); ++tick) commit_outcomes(tick);
}

// Lower ticks first. Within a tick, by a hash that favours no player for long.
void Outcomes::commit_outcomes(Tick tick) {
  committing_.clear();
  for (const Player& player : needs_.players) {
    if (before(tick, player.committed)) continue;
    const world::StepRecord* record = player.records.find(tick);
    if (record == nullptr) continue;
    for (const world::Proposal& wish : record->wishes.proposals) {
      committing_.push_back(outcome_of(player, *record, wish));
    }
  }
  const auto rank = [](const world::Outcome& o) {
    return std::pair(mix64(std::uint64_t{o.tick.count}, o.identity), o.wish.index);
  };
  std::sort(committing_.begin(), committing_.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  CommitContext context(*this, needs_);
  for (const world::Outcome& outcome : committing_) {
    const Judged here = outcome.wish.edit ? Judged{.judgement = needs_.ground_edits.settle(outcome)}
                                          : judged(outcome);
    if (raycasts_.ask(outcome, here, needs_.next)) continue;
    context.answer(outcome.actor);
    const world::Judgement became = needs_.checked_game.commit(context, outcome, here.judgement);
    needs_.counts.add(metric.outcomes_committed);
    if (outcome.wish.speed_m_s > 0 && became.reason == CancelReason::None &&
        !projectiles_.add(outcome)) {
      needs_.counts.add(metric.projectiles_refused);
    }
    send_judgement(*needs_.players.find_avatar(outcome.actor), tick, outcome.wish.index, became);
  }
  for (Player& player : needs_.players) {
    if (player.starts_elsewhere() && !player.pending) needs_.start_elsewhere(player);
    if (before(tick, player.committed)) continue;
    player.committed = tick + 1;
    withdraw_what_did_not_happen(player, tick);
  }
}

void Outcomes::on_join(const Player& player) {
  CommitContext context(*this, needs_);
  needs_.game.on_join(context, {needs_.next, player.avatar, player.account});
}

void Outcomes::on_leave(const Player& player) {
  CommitContext context(*this, needs_);
  context.let_go(player.avatar);
  needs_.game.on_leave(context, {needs_.next, player.avatar, player.account});
}

void Outcomes::on_message(const Player& player, std::span<const std::byte> message) {
  CommitContext context(*this, needs_);
  context.answer(player.avatar, MessageExchange::events_per_message);
  needs_.game.on_message(context, {needs_.next, player.avatar, player.account}, message);
}

// Called some ticks later, after the replies of other workers. If the shooter has been migrated
// meanwhile, the shot still counts.
void Outcomes::commit_remote(world::Outcome outcome, const world::Judgement& judgement) {
  Player* player = needs_.players.find_avatar(outcome.actor);
  outcome.flew = player == nullptr;
  CommitContext context(*this, needs_);
  context.answer(outcome.actor);
  const world::Judgement became = needs_.checked_game.commit(context, outcome, judgement);
  needs_.counts.add(metric.outcomes_committed);
  if (player != nullptr) send_judgement(*player, outcome.tick, outcome.wish.index, became);
}

void Outcomes::refuse_late(Player& player, world::StepRecord& record,
                           const world::Proposals& committed) {
  constexpr world::Judgement too_late{.reason = CancelReason::TooLate};
  world::Proposals all = committed;
  CommitContext context(*this, needs_);
  context.answer(player.avatar);
  for (const world::Proposal& wish : record.wishes.proposals) {
    const bool known = std::any_of(committed.begin(), committed.end(),
                                   [&](const auto& other) { return other.index == wish.index; });
    if (known || !all.push_back(wish)) continue;
    needs_.checked_game.commit(context, outcome_of(player, record, wish), too_late);
    needs_.counts.add(metric.outcomes_too_late);
    if (player.lost) continue;
    needs_.observers.send(player.session,
                          EffectEvent{name_of(player, record.tick), wish.index, Verdict::Cancelled,
                                      CancelReason::TooLate},
                          false);
  }
  record.wishes.proposals = all;
}

// Withdraws judgements of pending proposals that re-simulation has removed.
void Outcomes::withdraw_what_did_not_happen(Player& player, Tick tick) {
  const auto* sent = player.sent.find(tick);
  const world::StepRecord* record = player.records.find(tick);
  if (sent == nullptr || record == nullptr) return;
  const auto& wishes = record->wishes.proposals;
  for (std::size_t i = 0; i < sent->size(); ++i) {
    const auto index = static_cast<std::uint8_t>(world::first_cue_index + i);
    const bool stands = std::any_of(wishes.begin(), wishes.end(), [&](const world::Proposal& wish) {
      return wish.index == index;
    });
    if (!(*sent)[i] || stands) continue;
    send_judgement(player, tick, index, {.reason = CancelReason::Overruled});
  }
}

}  // namespace perigee::worker
