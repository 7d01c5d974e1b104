/// Sessions and client ids of NPCs: actors that a game moves on the server, like players without a
/// client. Both are made from the actor's handle, so they are unique as long as that is.
#pragma once

#include <cstdint>

#include "perigee/base/fabric.hpp"
#include "perigee/base/player_input.hpp"  // Handle

namespace perigee {

/// Of no gateway; restored sessions of players have gateways_max.
inline constexpr GatewaySlot npc_gateway{gateways_max + 1};

constexpr SessionId npc_session(Handle actor) {
  return make_session(npc_gateway, 0, 0) | SessionId{actor};
}
constexpr bool is_npc(SessionId session) { return session_gateway(session) == npc_gateway; }

/// Clients never get an id of this range.
inline constexpr std::uint64_t npc_clients = 0xffff'ffff'0000'0000;
constexpr std::uint64_t npc_client(Handle actor) { return npc_clients | actor; }
constexpr bool is_npc_client(std::uint64_t client_id) { return client_id >= npc_clients; }

}  // namespace perigee
