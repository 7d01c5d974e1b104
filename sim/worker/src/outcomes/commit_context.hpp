/// The operations that the game's commit may use.
#pragma once

#include "perigee/worker/outcomes/outcomes.hpp"

namespace perigee::worker {

/// Of one tick.
class CommitContext final : public world::Journal {
 public:
  CommitContext(const Outcomes& outcomes, const Outcomes::Needs& needs)
      : outcomes_(outcomes), needs_(needs) {}

  Tick tick() const override { return needs_.next; }
  std::optional<world::GameState> state(Handle entity) const override {
    if (const Player* player = needs_.players.find_avatar(entity)) {
      return outcomes_.present_game(*player);
    }
    const world::ThingState* state = needs_.world.state(entity);
    if (state == nullptr || needs_.world.find(entity)->remote) return std::nullopt;
    return state->value;
  }
  world::SpawnRefusal set_state(Handle thing, const world::GameState& state) override {
    return needs_.spawns.set_state(thing, state);
  }
  Handle world_entity() const override { return needs_.world.world_entity(); }
  std::optional<world::GameState> world_state() const override {
    const world::ThingState* state = needs_.world.state(needs_.world.world_entity());
    return state != nullptr ? std::optional(state->value) : std::nullopt;
  }
  std::int32_t lead_ticks(Handle actor) const override { return needs_.world.lead_ticks(actor); }
  bool notify(Handle actor, const world::GameEvent& event) override {
    Player* player = needs_.players.find_avatar(actor);
    const bool allowed = actor != speaker_ || events_left_ > 0;
    const bool sent = allowed && player != nullptr && player->events.push_back(event);
    if (!sent) needs_.counts.add(metric.game_events_lost);
    if (sent && actor == speaker_) --events_left_;
    return sent;
  }
  bool respawn(Handle actor) override {
    Player* player = needs_.players.find_avatar(actor);
    if (player == nullptr || player->npc()) return false;
    player->respawns = true;
    player->placed.reset();
    return true;
  }
  bool place(Handle actor, const world::ActorPlace& place) override {
    Player* player = needs_.players.find_avatar(actor);
    if (player == nullptr) return false;
    if (!needs_.checked_game.takes(actor, place)) return false;
    player->placed = place;
    player->respawns = false;
    return true;
  }
  bool cue(const world::CueOrder& order) override { return needs_.cues.order(order); }
  void write(const world::JournalEntry& entry) override {
    needs_.journal.add(entry);
    needs_.counts.add(metric.journal_entries);
    needs_.write(entry);
  }
  bool send(const world::Message& message) override { return needs_.send(message); }
  bool take(Handle thing, world::TypeId type) override { return needs_.take(thing, type); }
  world::Spawned spawn(const world::ThingSpawn& thing) override {
    return needs_.spawns.spawn(thing);
  }
  world::Spawned spawn_npc(const world::NpcSpawn& npc) override {
    return needs_.spawns.spawn_npc(npc);
  }
  world::SpawnRefusal despawn(Handle entity) override { return needs_.spawns.despawn(entity); }
  world::TellRefusal tell(Handle actor, std::span<const std::byte> message) override {
    return needs_.tell(actor, message);
  }
  std::uint32_t tell_within(const world::Bounds& box, std::span<const std::byte> message) override {
    std::uint32_t told = 0;
    for (const Player& player : needs_.players) {
      if (player.npc()) continue;
      const auto pose = needs_.world.pose(player.avatar, needs_.next);
      if (!pose || !box.contains(pose->position)) continue;
      if (needs_.tell(player.avatar, message) == world::TellRefusal::None) ++told;
    }
    return told;
  }
  world::TellRefusal tell_everybody(std::span<const std::byte> message) override {
    return needs_.tell_everybody(message, speaker_);
  }
  std::optional<std::span<const std::byte>> profile(Handle actor) const override {
    return needs_.profile(actor);
  }
  world::KeepRefusal save(Handle actor, std::span<const std::byte> profile) override {
    return needs_.save(actor, profile, actor == leaver_);
  }
  world::KeepRefusal keep(const world::MatchResult& result) override { return needs_.keep(result); }
  /// The calls that follow are answers to this actor, which gets at most so many events.
  void answer(Handle speaker, std::size_t events_max = world::events_max) {
    speaker_ = speaker;
    events_left_ = events_max;
  }
  void end_world(std::uint8_t reason) override { needs_.journal.end_world(reason); }

  /// This actor's player is about to be removed.
  void let_go(Handle leaver) { leaver_ = leaver; }

 private:
  const Outcomes& outcomes_;
  const Outcomes::Needs& needs_;
  Handle leaver_ = no_entity;
  Handle speaker_ = no_entity;
  std::size_t events_left_ = 0;
};

/// Changes only one copied player, and has no other effects.
class RefundContext final : public world::Journal {
 public:
  RefundContext(const world::GameModule& game, Handle actor, world::GameState& state, Tick tick)
      : game_(game), actor_(actor), state_(state), tick_(tick) {}

  Tick tick() const override { return tick_; }
  std::int32_t lead_ticks(Handle) const override { return world::announce_ticks_default; }
  std::optional<world::GameState> state(Handle actor) const override {
    if (actor != actor_) return std::nullopt;
    return state_;
  }
  world::SpawnRefusal set_state(Handle, const world::GameState&) override {
    return world::SpawnRefusal::Rehearsal;
  }
  Handle world_entity() const override { return no_entity; }
  std::optional<world::GameState> world_state() const override { return std::nullopt; }
  bool notify(Handle actor, const world::GameEvent& event) override {
    if (actor == actor_) game_.apply_event(event, state_);
    return actor == actor_;
  }
  bool respawn(Handle) override { return false; }
  bool place(Handle, const world::ActorPlace&) override { return false; }
  bool cue(const world::CueOrder&) override { return true; }
  void write(const world::JournalEntry&) override {}
  bool send(const world::Message&) override { return true; }
  bool take(Handle, world::TypeId) override { return false; }
  world::Spawned spawn(const world::ThingSpawn&) override {
    return {no_entity, world::SpawnRefusal::Rehearsal};
  }
  world::Spawned spawn_npc(const world::NpcSpawn&) override {
    return {no_entity, world::SpawnRefusal::Rehearsal};
  }
  world::SpawnRefusal despawn(Handle) override { return world::SpawnRefusal::Rehearsal; }
  world::TellRefusal tell(Handle, std::span<const std::byte>) override {
    return world::TellRefusal::Rehearsal;
  }
  std::uint32_t tell_within(const world::Bounds&, std::span<const std::byte>) override { return 0; }
  world::TellRefusal tell_everybody(std::span<const std::byte>) override {
    return world::TellRefusal::Rehearsal;
  }
  std::optional<std::span<const std::byte>> profile(Handle) const override { return std::nullopt; }
  world::KeepRefusal save(Handle, std::span<const std::byte>) override {
    return world::KeepRefusal::Rehearsal;
  }
  world::KeepRefusal keep(const world::MatchResult&) override {
    return world::KeepRefusal::Rehearsal;
  }

 private:
  const world::GameModule& game_;
  Handle actor_;
  world::GameState& state_;
  Tick tick_;
};

}  // namespace perigee::worker
