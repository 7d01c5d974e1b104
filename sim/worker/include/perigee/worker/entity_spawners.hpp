/// The spawners in the ids of entities that a worker incarnation creates, so that no two of them
/// get the same id.
#pragma once

#include <cstdint>

#include "perigee/base/ids.hpp"

namespace perigee::worker {

/// Limits of one world: handles have 32 bits and an incarnation's block 20, so there are 2^12
/// blocks. Spawners have 20 bits, so each incarnation has 256 of them.
inline constexpr std::uint32_t spawner_blocks_max = 1U << 12;
/// Maps that create regions use these in turn; the players' actors use the first one, too.
inline constexpr std::uint32_t creating_spawners = 255;

constexpr std::uint32_t creating_spawner(std::uint32_t block, std::uint32_t map) {
  return block % spawner_blocks_max + map % creating_spawners * spawner_blocks_max;
}
/// Of the entities that the game spawns by its journal.
constexpr std::uint32_t journal_spawner(HandleBlock block) {
  return block.number % spawner_blocks_max + creating_spawners * spawner_blocks_max;
}

}  // namespace perigee::worker
