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
  std::int32_t lead_ticks(Handle actor) const override { return needs_.world.lead_ticks(actor); }
  std::optional<world::GameState> state(Handle actor) const override {
    const Player* player = needs_.players.find_avatar(actor);
    if (player == nullptr) return std::nullopt;
    return outcomes_.present_game(*player);
  }
  bool notify(Handle actor, const world::GameEvent& event) override {
    Player* player = needs_.players.find_avatar(actor);
    const bool sent = player != nullptr && player->events.push_back(event);
    if (!sent) needs_.counts.add(metric.game_events_lost);
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
    return needs_.tell_everybody(message);
  }

 private:
  const Outcomes& outcomes_;
  const Outcomes::Needs& needs_;
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
  bool notify(Handle actor, const world::GameEvent& event) override {
    if (actor == actor_) game_.apply_event(event, state_);
    return actor == actor_;
  }
  bool respawn(Handle) override { return false; }
  bool place(Handle, const world::ActorPlace&) override { return false; }
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

 private:
  const world::GameModule& game_;
  Handle actor_;
  world::GameState& state_;
  Tick tick_;
};

}  // namespace perigee::worker
