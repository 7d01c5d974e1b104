/// The one thing that a game's shared library adds to perigee_client.h: its game.
#pragma once

#include <cstdint>

#include "perigee/client/perigee_client.h"
#include "perigee/world/game.hpp"

namespace perigee::client {

/// What perigee_client_create() answers. `game` outlives the handle.
perigee_client* create_handle(const world::GameModule& game, std::uint32_t abi) noexcept;

}  // namespace perigee::client
