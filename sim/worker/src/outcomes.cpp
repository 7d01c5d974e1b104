// Outcomes that cannot be undone. They wait in the step records, where re-simulation replaces them.
// A tick that has left the window is judged once more, on histories that cannot change any more,
// and its outcomes are committed in an order that no link's delay can influence. (B5, S2, S11)
#include <algorithm>

#include "durable.hpp"
#include "flights.hpp"
#include "perigee/netcode/hash.hpp"
#include "perigee/worker/core.hpp"
#include "post.hpp"
#include "sights.hpp"

namespace perigee::worker {
namespace {

/// An input that was applied late was aimed that much earlier.
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
          .steers = (record.after.flags & actor_at_helm) != 0};
}

/// The client's name for the tick.
Tick name_of(const Player& player, Tick tick) {
  const world::StepRecord* record = player.records.find(tick);
  const bool real = record != nullptr && !record->guessed;
  return real ? record->input.tick : tick - player.inputs.delay_ticks();
}

constexpr std::size_t place_of(std::uint8_t index) { return index - world::first_cue_index; }

}  // namespace

/// The commit context of one tick: the operations that the game's commit may use.
class Core::Desk final : public world::Journal {
 public:
  explicit Desk(Core& core) : core_(core) {}

  std::optional<world::GameState> state(Handle actor) const override {
    const Player* player = core_.find_avatar(actor);
    if (player == nullptr) return std::nullopt;
    return core_.present_game(*player);
  }
  bool tell(Handle actor, const world::GameEvent& event) override {
    Player* player = core_.find_avatar(actor);
    const bool told = player != nullptr && player->events.push_back(event);
    if (!told) core_.counts_.add(Count::GameEventsLost);
    return told;
  }
  bool respawn(Handle actor) override {
    Player* player = core_.find_avatar(actor);
    if (player != nullptr) player->respawns = true;
    return player != nullptr;
  }
  void write(const world::JournalEntry& entry) override {
    core_.journal_.add(entry);
    core_.counts_.add(Count::JournalEntries);
    core_.durable_->write(entry);
  }
  bool send(const world::Letter& letter) override { return core_.post_->send(letter); }
  bool take(Handle thing, world::TypeId type) override { return core_.post_->take(thing, type); }

 private:
  Core& core_;
};

/// A commit context that changes only one copied player and has no other effects.
class Core::Refusal final : public world::Journal {
 public:
  Refusal(const Core& core, Handle actor, world::GameState& state)
      : core_(core), actor_(actor), state_(state) {}

  std::optional<world::GameState> state(Handle actor) const override {
    if (actor != actor_) return std::nullopt;
    return state_;
  }
  bool tell(Handle actor, const world::GameEvent& event) override {
    if (actor == actor_) core_.game_.hear(event, state_);
    return actor == actor_;
  }
  bool respawn(Handle) override { return false; }
  void write(const world::JournalEntry&) override {}
  bool send(const world::Letter&) override { return true; }
  bool take(Handle, world::TypeId) override { return false; }

 private:
  const Core& core_;
  Handle actor_;
  world::GameState& state_;
};

void Core::receive(const world::Letter& letter, bool returned) {
  Desk desk(*this);
  game_.receive(desk, letter, returned);
}

Player* Core::find_avatar(Handle avatar) {
  for (auto& [session, player] : players_) {
    if (player->avatar == avatar) return player.get();
  }
  return nullptr;
}

world::GameState Core::present_game(const Player& player) const {
  world::GameState state = player.game;
  for (const world::GameEvent& event : player.events) game_.hear(event, state);
  return state;
}

// Refunds proposals to edit the ground that are not committed before `next`.
world::GameState Core::game_without_pending(const Player& player, Tick next) const {
  world::GameState state = present_game(player);
  Refusal desk(*this, player.avatar, state);
  for (Tick tick = next - std::max(settings_.inputs.window_ticks, 1); before(tick, next); ++tick) {
    const world::StepRecord* record = player.records.find(tick);
    if (record == nullptr) continue;
    for (const world::Proposal& wish : record->wishes.proposals) {
      if (!wish.edit) continue;
      game_.commit(desk, outcome_of(player, *record, wish), {.reason = CancelReason::Overruled});
    }
  }
  return state;
}

Core::Judged Core::judged(const world::Outcome& outcome) {
  if (outcome.wish.edit) return {.judgement = judged_edit(outcome)};
  if (outcome.wish.speed_m_s > 0) {
    const world::DrawnScene in_flight(*world_, outcome, std::optional<world::DrawnHit>());
    return {.judgement = judge(in_flight, outcome)};
  }
  const world::DrawnScene scene(*world_, outcome);
  if (scene.clamped()) counts_.add(Count::ViewsClamped);
  Judged out{.judgement = judge(scene, outcome)};
  out.sight = scene.sight();
  out.looked_m = scene.looked_m();
  return out;
}

void Core::tell_judgement(Player& player, Tick tick, std::uint8_t index,
                          const world::Judgement& judgement) {
  auto* of_tick = player.told.find(tick);
  if (of_tick == nullptr) {
    of_tick = &player.told.claim(tick);
    of_tick->fill(std::nullopt);
  }
  std::optional<world::Judgement>& told = (*of_tick)[place_of(index)];
  if (told == judgement || player.lost) return;
  if (told) counts_.add(Count::VerdictsChanged);
  told = judgement;
  const bool counts = judgement.reason == CancelReason::None;
  const EffectEvent event{name_of(player, tick), index,
                          counts ? Verdict::Confirmed : Verdict::Cancelled, judgement.reason,
                          judgement.detail};
  tell_player(player, event, false);
}

// The first judgement serves the hit marker alone: the player sees it a round trip after the shot.
// It stands until the tick is committed. If other workers have to be queried, it is sent then.
void Core::judge_proposals(Player& player, const world::StepRecord& record) {
  if (record.guessed) return;
  for (const world::Proposal& wish : record.wishes.proposals) {
    const auto* told = player.told.find(record.tick);
    if (told != nullptr && (*told)[place_of(wish.index)]) continue;
    const world::Outcome outcome = outcome_of(player, record, wish);
    if (wish.speed_m_s > 0) flights_->tell(outcome);
    const Judged so_far = judged(outcome);
    if (sights_ && sights_->leave(so_far)) continue;
    tell_judgement(player, record.tick, wish.index, so_far.judgement);
  }
}

/// The newest tick with committed outcomes: it has left the window.
Tick Core::settled() const { return next_ - 1 - std::max(settings_.inputs.window_ticks, 1); }

void Core::commit(Tick tick) {
  commit_outcomes(tick);
  settle_ground(tick);
  Desk desk(*this);
  flights_->fly(tick, desk);
}

/// Commits ticks of arrived players that have left the window meanwhile.
void Core::settle_late() {
  Tick oldest = settled() + 1;
  for (const auto& [session, player] : players_) {
    if (before(player->committed, oldest)) oldest = player->committed;
  }
  for (Tick tick = oldest; not_after(tick, settled()); ++tick) commit_outcomes(tick);
}

// Lower ticks first; within one, by a hash that favours no player for long. (S2)
void Core::commit_outcomes(Tick tick) {
  committing_.clear();
  for (const auto& [session, player] : players_) {
    if (before(tick, player->committed)) continue;
    const world::StepRecord* record = player->records.find(tick);
    if (record == nullptr) continue;
    for (const world::Proposal& wish : record->wishes.proposals) {
      committing_.push_back(outcome_of(*player, *record, wish));
    }
  }
  const auto rank = [](const world::Outcome& o) {
    return std::pair(mix64(std::uint64_t{o.tick.count}, o.identity), o.wish.index);
  };
  std::sort(committing_.begin(), committing_.end(),
            [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  Desk desk(*this);
  for (const world::Outcome& outcome : committing_) {
    const Judged here =
        outcome.wish.edit ? Judged{.judgement = settle_edit(outcome)} : judged(outcome);
    if (sights_ && sights_->ask(outcome, here)) continue;
    const world::Judgement became = commit(desk, outcome, here.judgement);
    counts_.add(Count::OutcomesCommitted);
    if (outcome.wish.speed_m_s > 0 && became.reason == CancelReason::None) flights_->loose(outcome);
    tell_judgement(*find_avatar(outcome.actor), tick, outcome.wish.index, became);
  }
  for (auto& [session, player] : players_) {
    if (before(tick, player->committed)) continue;
    player->committed = tick + 1;
    withdraw_what_did_not_happen(*player, tick);
    if (player->respawns && !player->pending) respawn(*player);
  }
}

// Called some ticks later, after the replies of other workers. If the shooter has been migrated
// meanwhile, the shot still counts.
void Core::commit_seen(world::Outcome outcome, const world::Judgement& judgement) {
  Player* player = find_avatar(outcome.actor);
  outcome.flew = player == nullptr;
  Desk desk(*this);
  const world::Judgement became = commit(desk, outcome, judgement);
  counts_.add(Count::OutcomesCommitted);
  if (player != nullptr) tell_judgement(*player, outcome.tick, outcome.wish.index, became);
}

// Withdraws judgements of pending proposals that re-simulation has removed.
void Core::withdraw_what_did_not_happen(Player& player, Tick tick) {
  const auto* told = player.told.find(tick);
  const world::StepRecord* record = player.records.find(tick);
  if (told == nullptr || record == nullptr) return;
  const auto& wishes = record->wishes.proposals;
  for (std::size_t i = 0; i < told->size(); ++i) {
    const auto index = static_cast<std::uint8_t>(world::first_cue_index + i);
    const bool stands = std::any_of(wishes.begin(), wishes.end(), [&](const world::Proposal& wish) {
      return wish.index == index;
    });
    if (!(*told)[i] || stands) continue;
    tell_judgement(player, tick, index, {.reason = CancelReason::Overruled});
  }
}

// A new place, without promises or pending outcomes. A player that is about to be migrated respawns
// at the other worker.
void Core::respawn(Player& player) {
  const auto motion = world_->motion(player.avatar, next_);
  const RegionEntry* region = own_region_near(motion ? motion->pose.position : Vec3{});
  if (region == nullptr || !knows(*region)) return;
  const auto place = place_for_player(*region, player.ordinal);
  PERIGEE_ASSERT(place.has_value(), "a game with players must have an actor type");
  const world::ActorSpawn& spawn = *place;
  player.respawns = false;
  player.game = present_game(player);
  player.events.clear();
  player.records.clear();
  player.parent = spawn.parent;
  player.state = spawn.state;
  player.tracker = {};
  start_anew(player);
  world_->set_actor(player.avatar, player.parent, player.state, next_);
  counts_.add(Count::Respawns);
}

}  // namespace perigee::worker
