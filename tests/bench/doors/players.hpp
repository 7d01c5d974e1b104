/// Tokens for players of a benchmark, and the sizes of their inputs and snapshots.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "perigee/base/address.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/transport/connect_token.hpp"
#include "perigee/transport/user_data.hpp"

namespace perigee::bench {

/// A control frame with the newest inputs repeated, sent once per tick by a client.
inline constexpr std::size_t input_frame_bytes = 60;
/// With its frame header; 1150 bytes as a netcode payload.
inline constexpr std::size_t snapshot_block_bytes = 1'100;

inline transport::ConnectToken player_token(std::uint64_t client_id, const Address& gateway,
                                            RegionId region, const transport::Key& key,
                                            std::uint64_t unix_s) {
  transport::ConnectTokenSpec spec;
  spec.create_time_s = unix_s;
  spec.expire_time_s = unix_s + 60;
  spec.timeout_s = 120;  // other contenders' rounds may take long
  spec.client_id = client_id;
  spec.public_addresses.push_back(gateway);
  spec.server_addresses = spec.public_addresses;
  spec.user_data =
      transport::write_user_data({.wire_version = wire_version, .home_region = region});
  return transport::make_connect_token(spec, key, transport::system_random_bytes()).value();
}

}  // namespace perigee::bench
