/// The state of one actor (character, jetpack) in its logical parent's frame. `step_actor` reads
/// and writes it, histories record it, and the own section of a block carries it bit for bit.
#pragma once

#include <cstdint>

#include "perigee/base/bytes.hpp"
#include "perigee/base/player_input.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// Bits of ActorState::flags. The flags belong to the state: a reset that omitted them would let
/// the actor fall and be reset again.
enum ActorFlag : std::uint8_t {
  actor_grounded = 1 << 0,
  actor_jetpack = 1 << 1,
  actor_blocked = 1 << 2,  ///< ran into an obstacle in the last step
  actor_at_controls =
      1 << 3,  ///< sits at its parent's vehicle controls and steers it; is not stepped
  actor_flags_all = (1 << 4) - 1,
};
/// How an announced parent switch changes the actor's place at its parent's vehicle controls.
enum class VehicleChange : std::uint8_t { None, Take, Leave, last = Leave };

struct ActorState {
  Vec3 position;                    ///< capsule centre in the parent's frame, metres
  Vec3f velocity;                   ///< relative to the parent's frame, in its axes, m/s
  Handle ground = no_entity;        ///< the entity that it stands on
  std::uint8_t flags = 0;           ///< ActorFlag bits
  std::uint8_t coyote_ticks = 0;    ///< ticks left in which a jump still counts as from the ground
  std::uint8_t jump_ticks = 0;      ///< ticks left in which the ground probe does not snap
  std::uint8_t grounded_ticks = 0;  ///< ticks on the same ground, saturating
  friend bool operator==(const ActorState&, const ActorState&) = default;
};

template <class Cursor, class State>
  requires std::same_as<std::remove_const_t<State>, ActorState>
bool walk(Cursor& cursor, State& state) {
  return cursor.vec3(state.position) && cursor.vec3(state.velocity) &&
         cursor.number(state.ground) && cursor.number(state.flags) &&
         state.flags <= actor_flags_all && cursor.number(state.coyote_ticks) &&
         cursor.number(state.jump_ticks) && cursor.number(state.grounded_ticks);
}

}  // namespace perigee
