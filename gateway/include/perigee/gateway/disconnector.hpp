/// Ends the connections of clients.
#pragma once

#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::gateway {

class Disconnector {
 public:
  virtual ~Disconnector() = default;
  /// Disconnects a connected client and ends its session, before the call returns.
  virtual void kick(Micros now_us, std::uint32_t slot) = 0;
};

}  // namespace perigee::gateway
