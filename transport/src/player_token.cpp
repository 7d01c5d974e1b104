#include "perigee/transport/player_token.hpp"

#include "perigee/base/assert.hpp"

namespace perigee::transport {

ConnectToken make_player_token(const PlayerTokenSpec& spec, const Key& private_key,
                               const RandomBytes& random) {
  ConnectTokenSpec token{.create_time_s = spec.create_time_s,
                         .expire_time_s = spec.create_time_s + spec.life_s,
                         .timeout_s = spec.timeout_s,
                         .client_id = spec.client_id,
                         .user_data = write_user_data(spec.pass)};
  token.public_addresses.push_back(spec.gateway);
  token.server_addresses.push_back(spec.gateway);
  const auto made = make_connect_token(token, private_key, random);
  PERIGEE_ASSERT(made.ok(), "the gateway's address must be valid");
  return *made;
}

}  // namespace perigee::transport
