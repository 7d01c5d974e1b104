/// Counts of a bot's actions, for the result table and the lab's thresholds.
#pragma once

#include <cstdint>

namespace perigee::bots {

struct Deeds {
  std::uint64_t ticks = 0;
  std::uint64_t moving_ticks = 0;  ///< faster than 0.5 m/s relative to the parent
  std::uint64_t jumps = 0;
  std::uint64_t doors = 0;  ///< opened or shut
  std::uint64_t rides = 0;  ///< on lifts and rotors
  std::uint64_t flights = 0;
  std::uint64_t boardings = 0;  ///< times that it boarded a moving ship
  std::uint64_t ticks_aboard = 0;
  std::uint64_t shots = 0;

  Deeds& operator+=(const Deeds& more);
  Deeds& operator-=(const Deeds& less);
};

}  // namespace perigee::bots
