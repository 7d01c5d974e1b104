/// The current call into a game.
#pragma once

#include <cstdint>

#include "perigee/base/player_input.hpp"  // Handle

namespace perigee::world {

/// The function of a game that the calling thread is in, and its subject.
struct GameCall {
  const char* function = nullptr;  ///< none: the thread is not in a game
  Tick tick;
  std::uint64_t avatar = 0;   ///< identity; 0: none, or not known here
  Handle entity = no_entity;  ///< no_entity: none, or not known here
};
/// The calling thread's current call; usable in its signal handlers.
const GameCall& game_call() noexcept;

}  // namespace perigee::world
