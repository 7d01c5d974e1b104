/// The one function that a game's shared library adds to perigee_client.h: it provides the game.
#pragma once

#include <cstdint>

#include "perigee/client/perigee_client.h"
#include "perigee/world/game.hpp"

namespace perigee::client {

/// Implements perigee_client_create(). `game` must outlive the handle.
perigee_client* create_handle(const world::GameModule& game, std::uint32_t abi) noexcept;

}  // namespace perigee::client
