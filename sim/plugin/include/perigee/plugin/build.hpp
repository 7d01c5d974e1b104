/// Which builds of perigee a game's library and a program fit together in. The library has its own
/// copy of base and world, and works on the program's objects with it. So both need the same code,
/// and compilers that lay the types out in the same way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "perigee/base/hash.hpp"
#include "perigee/world/game.hpp"

namespace perigee::plugin {

/// Hash of the code of base, world and this room, without comments and layout.
std::uint64_t code_hash();

/// Version and compiler, for messages: "perigee 0.1.0 by g++ 12.2.0".
const char* build_text();

namespace detail {
template <class... Types>
constexpr std::uint64_t sizes_hash() {
  std::uint64_t hash = 0;
  ((hash = mix64(hash, std::uint64_t{sizeof(Types)}, std::uint64_t{alignof(Types)})), ...);
  return hash;
}
}  // namespace detail

/// Hash of the sizes of the types that cross the border, as the including source's compiler and
/// options lay them out: containers of the standard library have other sizes with other options.
constexpr std::uint64_t layout_hash() {
  return detail::sizes_hash<
      std::string, std::vector<int>, std::function<void()>, Tick, Pose, PlayerInput, InputLayout,
      StateHash, world::World, world::Entity, world::EntityType, world::Box, world::ActorParams,
      ActorState, world::ActorContext, world::ActorSpawn, world::GameState, world::GameStateCodec,
      world::GameEvent, world::Outcome, world::Judgement, world::Message, world::JournalEntry,
      world::UseAttempt, world::UseOutcome, world::ParentingParams, world::Bounds,
      world::ThingSpawn, world::NpcSpawn, world::Spawned, world::NpcView, world::ThinkActor,
      world::ThinkContext, world::CueOrder>();
}

}  // namespace perigee::plugin
