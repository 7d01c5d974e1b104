/// Where a datagram came from.
#pragma once

#include "perigee/base/address.hpp"

namespace perigee::transport {

struct Sender {
  Address path;    ///< receives the answers; there is one session at each path
  Address player;  ///< limits per address count here; behind a door it differs from `path`

  /// Without a door between.
  Sender(const Address& direct) : path(direct), player(direct) {}
  Sender(const Address& of_path, const Address& of_player) : path(of_path), player(of_player) {}
};

}  // namespace perigee::transport
