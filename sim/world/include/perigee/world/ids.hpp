/// Identifiers of entities and of their types.
#pragma once

#include <compare>
#include <cstdint>

#include "perigee/base/player_input.hpp"  // Handle
#include "perigee/base/tick.hpp"

namespace perigee::world {

/// Row of the game's type table.
using TypeId = std::uint8_t;

/// Creator, tick of creation and ordinal within that tick: spawner 20 bits, tick 32, ordinal 12.
/// Determines order, hashes and phase classes; the wire carries the shorter Handle.
struct EntityId {
  static constexpr std::uint32_t spawner_max = (1U << 20) - 1;
  static constexpr std::uint32_t ordinal_max = (1U << 12) - 1;

  std::uint64_t bits = 0;
  friend constexpr auto operator<=>(const EntityId&, const EntityId&) = default;

  constexpr std::uint32_t spawner() const { return static_cast<std::uint32_t>(bits >> 44); }
  constexpr Tick tick() const { return Tick{static_cast<std::uint32_t>(bits >> 12)}; }
  constexpr std::uint32_t ordinal() const { return static_cast<std::uint32_t>(bits & ordinal_max); }
};

/// No entity: World::spawn refuses it.
inline constexpr EntityId no_entity_id{~std::uint64_t{0}};

/// no_entity_id if the spawner or the ordinal is beyond its maximum. For more entities than
/// ordinals, use another tick for each 4095 of them.
constexpr EntityId make_entity_id(std::uint32_t spawner, Tick tick, std::uint32_t ordinal) {
  if (spawner > EntityId::spawner_max || ordinal > EntityId::ordinal_max) return no_entity_id;
  return {static_cast<std::uint64_t>(spawner) << 44 | static_cast<std::uint64_t>(tick.count) << 12 |
          ordinal};
}

}  // namespace perigee::world
