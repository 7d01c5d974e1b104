/// Load through a door at a fixed rate, and the door's cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/doors/doors.hpp"

namespace perigee::bench {

enum class Direction : std::uint8_t { Inputs, Snapshots };

struct Passage {
  double per_core_s = 0;  ///< datagrams forwarded per second of the door's processor time
  double share = 0;       ///< forwarded datagrams / sent datagrams
  std::vector<double> latencies_us;  ///< of inputs, from the client's send to the worker's receive
};

/// Sends `per_s` datagrams per second for `span_us`. Inputs are evenly spaced, client after client;
/// snapshots come in slots, two payloads for every client at once, as sent by a worker's tick.
Passage drive(DoorUnderTest& door, Direction direction, double per_s, std::int64_t span_us);

/// Single inputs with pauses, so that a door may sleep in between: from the send call to the
/// receive call at the worker's end, which busy-waits. Lost ones are left out.
std::vector<double> input_latencies_us(DoorUnderTest& door, std::size_t samples);

}  // namespace perigee::bench
