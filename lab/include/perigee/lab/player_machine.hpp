/// A player's machine in a virtual cluster: its address, its clock and frames, and the links
/// between its client and the gateway.
#pragma once

#include <cstdint>
#include <memory>

#include "perigee/base/address.hpp"
#include "perigee/base/link_simulator.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::lab {

struct PlayerMachine {
  std::uint32_t number = 0;  ///< among all machines, full players' first
  Address address;
  double clock_rate = 1;
  Micros clock_offset_us = 0;
  Micros frame_us = 16'667;
  Micros next_hitch_us = 0;
  Micros stands_still_us = 0;  ///< before its next frame, once
  Micros dark_until_us = 0;    ///< its link carries nothing
  Micros next_log_in_us = 0;   ///< not before, if its client has ended
  Micros up_extra_us = 0;      ///< delay of its link beyond its profile, each direction
  Micros down_extra_us = 0;
  std::unique_ptr<LinkSimulator> up, down;
  std::uint64_t client_id = 0;
};

}  // namespace perigee::lab
