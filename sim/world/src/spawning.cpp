#include "perigee/world/spawning.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::world {

std::string_view to_sentence(SpawnRefusal refusal) {
  switch (refusal) {
    case SpawnRefusal::None:
      return "done";
    case SpawnRefusal::UnknownType:
      return "no such type: use an id of the game's table";
    case SpawnRefusal::WrongKind:
      return "wrong kind: players' actors are spawned by spawn_state, NPCs by spawn_npc";
    case SpawnRefusal::BadParent:
      return "wrong parent: statics and bodies have none, and a parent must exist on this worker";
    case SpawnRefusal::BadPose:
      return "unusable pose: not finite, beyond 1e7 m, or a rotation whose length is not 1";
    case SpawnRefusal::BadVelocity:
      return "unusable velocity: not finite, or beyond 2016 m/s or 1000 rad/s";
    case SpawnRefusal::BadId:
      return "unusable id: it is taken, or its spawner or ordinal is too large";
    case SpawnRefusal::TableFull:
      return "the worker has no room for more entities: raise sim.entities_max";
    case SpawnRefusal::NoHandle:
      return "no handle: the worker has used up its block, or the handle is taken";
    case SpawnRefusal::OutsideOfWorld:
      return "the place is outside of the world";
    case SpawnRefusal::LimitOfTick:
      return "256 entities have come, gone or changed in this tick: try again in the next one";
    case SpawnRefusal::NpcLimit:
      return "the worker has as many NPCs as it may have: raise sim.npcs_max";
    case SpawnRefusal::Rehearsal:
      return "this commit only computes a refund";
    case SpawnRefusal::NoSuchEntity:
      return "this worker knows no such entity: it may be gone already";
    case SpawnRefusal::NotOwned:
      return "the entity is another worker's: send it a message, and act in receive";
    case SpawnRefusal::Taken:
      return "the entity is taken by another commit";
    case SpawnRefusal::OfPlayer:
      return "the actor is a player's: it leaves with its player";
    case SpawnRefusal::NoState:
      return "entities of this type have no state: set EntityType::state in the game's table";
    case SpawnRefusal::OfActor:
      return "the entity is an actor: its state changes by events, see Journal::notify";
  }
  return "";
}

GameValue fault_of(SpawnRefusal refusal) {
  switch (refusal) {
    case SpawnRefusal::UnknownType:
      return GameValue::SpawnType;
    case SpawnRefusal::WrongKind:
      return GameValue::SpawnKind;
    case SpawnRefusal::BadParent:
      return GameValue::SpawnParent;
    case SpawnRefusal::BadPose:
      return GameValue::SpawnPose;
    case SpawnRefusal::BadVelocity:
      return GameValue::SpawnVelocity;
    case SpawnRefusal::BadId:
      return GameValue::SpawnId;
    case SpawnRefusal::TableFull:
    case SpawnRefusal::NoHandle:
      return GameValue::SpawnRoom;
    case SpawnRefusal::OutsideOfWorld:
      return GameValue::SpawnOutside;
    case SpawnRefusal::LimitOfTick:
    case SpawnRefusal::NpcLimit:
      return GameValue::SpawnLimit;
    case SpawnRefusal::OfPlayer:
      return GameValue::DespawnActor;
    case SpawnRefusal::NoState:
    case SpawnRefusal::OfActor:
      return GameValue::ThingState;
    case SpawnRefusal::None:
    case SpawnRefusal::Rehearsal:
    case SpawnRefusal::NoSuchEntity:
    case SpawnRefusal::NotOwned:
    case SpawnRefusal::Taken:
      break;
  }
  PERIGEE_ASSERT(false, "only refusals that are faults have a row");
  return GameValue::SpawnRoom;
}

std::string_view field_of(SpawnRefusal refusal, const Pose& at, const Vec3& velocity,
                          const Vec3& angular_velocity) {
  if (refusal == SpawnRefusal::BadPose) return unusable(at);
  if (refusal != SpawnRefusal::BadVelocity) return {};
  return first_of({beyond(velocity, speed_max_m_s, field::velocity),
                   beyond(angular_velocity, spin_max_rad_s, field::angular_velocity)});
}

}  // namespace perigee::world
