/// Functions with which a game's library adds the game to perigee_client.h.
#pragma once

#include <cstdint>

#include "perigee/client/perigee_client.h"
#include "perigee/world/game.hpp"

namespace perigee::client {

/// Calls body() and returns its result; `failed` after an exception. Libraries that are compiled
/// without exceptions, as for WebAssembly, stop instead, with a message.
template <class Result, class Body>
Result without_exceptions(Result failed, Body body) noexcept {
#if __cpp_exceptions
  try {
    return body();
  } catch (...) {
    return failed;
  }
#else
  static_cast<void>(failed);
  return body();
#endif
}

/// Implements perigee_client_create(). `game` must outlive the handle.
perigee_client* create_handle(const world::GameModule& game, std::uint32_t abi) noexcept;

/// The same with a game that the library owns.
template <class Game>
perigee_client* create_handle(std::uint32_t abi) noexcept {
  return without_exceptions(static_cast<perigee_client*>(nullptr), [abi] {
    static const Game game;
    return create_handle(game, abi);
  });
}

}  // namespace perigee::client
