/// The connect token of a player: one gateway to dial, and the player's identity.
#pragma once

#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::transport {

struct PlayerTokenSpec {
  std::uint64_t client_id = 0;
  Address gateway;  ///< as the client dials it and as the gateway finds itself
  std::uint64_t create_time_s = 0;
  std::uint64_t life_s = token_life_s;
  std::int32_t timeout_s = ConnectTokenSpec{}.timeout_s;
  PlayerPass pass;
};
ConnectToken make_player_token(const PlayerTokenSpec& spec, const Key& private_key,
                               const RandomBytes& random);

}  // namespace perigee::transport
