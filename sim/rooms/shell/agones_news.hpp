/// The part of a message of Agones' sidecar that matters to a process of rooms.
#pragma once

#include <string>

#include "agones_sdk.pb.h"
#include "perigee/base/tick.hpp"

namespace perigee::rooms {

struct GameServerNews {
  std::string state;
  std::string dialled;  ///< host:port for players; empty: not known yet
  bool being_deleted = false;
  Micros health_us = 0;  ///< between two signs of life
  bool operator==(const GameServerNews&) const = default;
};

/// Any message: values that cannot be are left out.
GameServerNews read_game_server(const agones::dev::sdk::GameServer& server);

}  // namespace perigee::rooms
