#include "perigee/worker/outcomes/game_spawns.hpp"

#include <algorithm>
#include <utility>

namespace perigee::worker {

using world::EntityKind;
using world::SpawnRefusal;

// Players that join, and groups that arrive, need places and handles, too.
SpawnRefusal GameSpawns::scarcity() const {
  constexpr std::uint32_t kept_share = 16;
  const std::size_t places = needs_.settings.entities_max;
  if (needs_.world.size() + places / kept_share >= places) return SpawnRefusal::TableFull;
  return needs_.world.handles_left() > needs_.world.handles_max() / kept_share
             ? SpawnRefusal::None
             : SpawnRefusal::NoHandle;
}

bool GameSpawns::leaves(Handle npc) const {
  return std::find(leaving_npcs_.begin(), leaving_npcs_.end(), npc) != leaving_npcs_.end();
}

bool GameSpawns::admit() {
  if (changed_at_ != needs_.next) changes_ = 0;
  changed_at_ = needs_.next;
  if (changes_ >= world::journal_changes_per_tick_max) return false;
  ++changes_;
  return true;
}

SpawnRefusal GameSpawns::refuse(SpawnRefusal refusal, world::TypeId type, Handle entity,
                                std::string_view field) {
  needs_.counts.add(metric.game_changes_refused);
  if (world::is_fault(refusal)) {
    needs_.world.game_faults().note({world::fault_of(refusal), type, entity, needs_.next, field});
  }
  return refusal;
}

SpawnRefusal GameSpawns::refusal_of(const world::ThingSpawn& thing) const {
  const auto types = needs_.world.types();
  if (thing.type >= types.size()) return SpawnRefusal::UnknownType;
  if (types[thing.type].kind == EntityKind::Actor) return SpawnRefusal::WrongKind;
  if (thing.state && types[thing.type].state == nullptr) return SpawnRefusal::NoState;
  if (!world::is_pose(thing.at)) return SpawnRefusal::BadPose;
  const auto frame = needs_.checked_game.frame_of(thing.parent);
  if (!frame) return SpawnRefusal::BadParent;
  const world::Entity* carrier = needs_.world.find(thing.parent);
  if (carrier != nullptr && carrier->remote) return SpawnRefusal::NotOwned;
  if (const SpawnRefusal scarce = scarcity(); scarce != SpawnRefusal::None) return scarce;
  return needs_.checked_game.in_the_world(transform(*frame, thing.at.position))
             ? SpawnRefusal::None
             : SpawnRefusal::OutsideOfWorld;
}

world::Spawned GameSpawns::spawn(const world::ThingSpawn& thing) {
  const bool known = thing.type < needs_.world.types().size();
  const world::TypeId type = known ? thing.type : world::GameFault::no_type;
  const auto refused = [&](SpawnRefusal why) {
    return world::Spawned{
        no_entity, refuse(why, type, no_entity,
                          world::field_of(why, thing.at, thing.velocity, thing.angular_velocity))};
  };
  SpawnRefusal refusal = refusal_of(thing);
  if (refusal == SpawnRefusal::None && !admit()) refusal = SpawnRefusal::LimitOfTick;
  if (refusal != SpawnRefusal::None) return refused(refusal);
  const world::Spawned out = needs_.world.try_spawn({.id = next_id(),
                                                     .type = thing.type,
                                                     .parent = thing.parent,
                                                     .local = thing.at,
                                                     .velocity = thing.velocity,
                                                     .angular_velocity = thing.angular_velocity,
                                                     .rests = thing.rests,
                                                     .state = thing.state});
  if (!out) return refused(out.refusal);
  needs_.counts.add(metric.game_spawned);
  return out;
}

world::EntityId GameSpawns::next_id() const {
  return world::make_entity_id(needs_.spawner, needs_.next, changes_ - 1);
}

SpawnRefusal GameSpawns::refusal_of(const world::NpcSpawn& npc) const {
  const auto types = needs_.world.types();
  if (npc.type >= types.size()) return SpawnRefusal::UnknownType;
  if (types[npc.type].kind != EntityKind::Actor) return SpawnRefusal::WrongKind;
  if (!needs_.checked_game.frame_of(npc.place.parent)) return SpawnRefusal::BadParent;
  if (const SpawnRefusal scarce = scarcity(); scarce != SpawnRefusal::None) return scarce;
  if (!world::is_place(npc.place.position)) return SpawnRefusal::BadPose;
  if (!world::within(to_double(npc.place.velocity), world::speed_max_m_s)) {
    return SpawnRefusal::BadVelocity;
  }
  if (!needs_.checked_game.fits(npc.place)) return SpawnRefusal::OutsideOfWorld;
  return needs_.players.npcs() < needs_.settings.npcs_max ? SpawnRefusal::None
                                                          : SpawnRefusal::NpcLimit;
}

world::Spawned GameSpawns::spawn_npc(const world::NpcSpawn& npc) {
  const bool known = npc.type < needs_.world.types().size();
  const world::TypeId type = known ? npc.type : world::GameFault::no_type;
  const auto refused = [&](SpawnRefusal why) {
    return world::Spawned{no_entity, refuse(why, type, no_entity,
                                            world::field_of(why, {npc.place.position, {}},
                                                            to_double(npc.place.velocity)))};
  };
  SpawnRefusal refusal = refusal_of(npc);
  if (refusal == SpawnRefusal::None && !admit()) refusal = SpawnRefusal::LimitOfTick;
  if (refusal != SpawnRefusal::None) return refused(refusal);
  const world::Spawned out = needs_.enter_npc(npc, next_id());
  if (!out) return refused(out.refusal);
  needs_.counts.add(metric.game_spawned);
  return out;
}

SpawnRefusal GameSpawns::refusal_to_remove(Handle entity) const {
  const world::Entity* known = needs_.world.find(entity);
  if (known == nullptr) return SpawnRefusal::NoSuchEntity;
  if (known->remote) return SpawnRefusal::NotOwned;
  if (needs_.world.type_of(*known).kind == EntityKind::Actor) {
    return refusal_to_remove_actor(entity);
  }
  return needs_.taken(entity) ? SpawnRefusal::Taken : SpawnRefusal::None;
}

SpawnRefusal GameSpawns::refusal_to_remove_actor(Handle actor) const {
  const Player* player = needs_.players.find_avatar(actor);
  if (player == nullptr) return SpawnRefusal::NoSuchEntity;
  if (!player->npc()) return SpawnRefusal::OfPlayer;
  return leaves(actor) ? SpawnRefusal::NoSuchEntity : SpawnRefusal::None;
}

void GameSpawns::remove_npcs() {
  for (const Handle npc : std::exchange(leaving_npcs_, {})) needs_.remove_npc(npc);
}

SpawnRefusal GameSpawns::despawn(Handle entity) {
  SpawnRefusal refusal = refusal_to_remove(entity);
  if (refusal == SpawnRefusal::None && !admit()) refusal = SpawnRefusal::LimitOfTick;
  if (refusal != SpawnRefusal::None) {
    const world::Entity* known = needs_.world.find(entity);
    return refuse(refusal, known != nullptr ? known->type : world::GameFault::no_type, entity);
  }
  if (needs_.players.find_avatar(entity) != nullptr) {
    leaving_npcs_.push_back(entity);
  } else {
    needs_.world.despawn(entity);
    needs_.on_gone(entity);
  }
  needs_.counts.add(metric.game_despawned);
  return SpawnRefusal::None;
}

SpawnRefusal GameSpawns::refusal_to_change(Handle thing) const {
  const world::Entity* known = needs_.world.find(thing);
  if (known == nullptr) return SpawnRefusal::NoSuchEntity;
  if (needs_.world.type_of(*known).kind == EntityKind::Actor) return SpawnRefusal::OfActor;
  if (needs_.world.state(thing) == nullptr) return SpawnRefusal::NoState;
  if (known->remote) return SpawnRefusal::NotOwned;
  return needs_.taken(thing) ? SpawnRefusal::Taken : SpawnRefusal::None;
}

SpawnRefusal GameSpawns::set_state(Handle thing, const world::GameState& state) {
  SpawnRefusal refusal = refusal_to_change(thing);
  if (refusal == SpawnRefusal::None && !admit()) refusal = SpawnRefusal::LimitOfTick;
  if (refusal != SpawnRefusal::None) {
    const world::Entity* known = needs_.world.find(thing);
    return refuse(refusal, known != nullptr ? known->type : world::GameFault::no_type, thing);
  }
  needs_.world.set_state(thing, state);
  needs_.counts.add(metric.game_stated);
  return SpawnRefusal::None;
}

}  // namespace perigee::worker
