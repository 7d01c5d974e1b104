/// Load through a door at a fixed rate, and what the door needed for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/doors/doors.hpp"

namespace perigee::bench {

enum class Direction : std::uint8_t { Inputs, Snapshots };

struct Passage {
  double per_core_s = 0;  ///< datagrams that came out per second of the door's processor time
  double share = 0;       ///< of those sent, that came out
  std::vector<double> latencies_us;  ///< of inputs, from the client's send to the worker's receive
};

/// Offers `per_s` datagrams a second for `span_us`. Inputs come evenly, client after client;
/// snapshots in slots, two payloads for every client at once, as a worker's tick sends them.
Passage drive(DoorUnderTest& door, Direction direction, double per_s, std::int64_t span_us);

/// One input now and then, so that a door may fall asleep in between: from the send call to the
/// receive call at the worker's end, which is spinning. Lost ones are left out.
std::vector<double> input_latencies_us(DoorUnderTest& door, std::size_t samples);

}  // namespace perigee::bench
