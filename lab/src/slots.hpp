#pragma once

#include <cstdint>

#include "perigee/netcode/hash.hpp"
#include "perigee/netcode/tick.hpp"

namespace perigee::lab {

/// Things that happen once in each slot of time, each at a moment of its own: `part` of a slot
/// early at the most.
struct Slots {
  std::uint32_t ticks;
  std::uint32_t spread_ticks;  ///< at most half of it, else two may come in one slot

  std::uint32_t moment(std::uint64_t seed, std::uint32_t slot) const {
    return static_cast<std::uint32_t>(mix64(seed, slot) % spread_ticks);
  }
  /// The slot whose moment was the last one up to this tick.
  std::uint32_t current(std::uint64_t seed, Tick tick) const {
    const std::uint32_t slot = tick.count / ticks;
    return tick.count % ticks >= moment(seed, slot) ? slot : slot - 1;
  }
  /// Ticks since that moment.
  std::uint32_t since(std::uint64_t seed, Tick tick) const {
    const std::uint32_t slot = current(seed, tick);
    return tick.count - slot * ticks - moment(seed, slot);
  }
  bool now(std::uint64_t seed, Tick tick) const {
    return tick.count % ticks == moment(seed, tick.count / ticks);
  }
};

}  // namespace perigee::lab
