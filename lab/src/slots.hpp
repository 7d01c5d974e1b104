#pragma once

#include <cstdint>

#include "perigee/base/hash.hpp"
#include "perigee/base/tick.hpp"

namespace perigee::lab {

/// Events that happen once in each slot of time, at a random moment within the first `spread_ticks`
/// of it.
struct Slots {
  std::uint32_t ticks;
  std::uint32_t spread_ticks;  ///< at most `ticks`

  std::uint32_t moment(std::uint64_t seed, std::uint32_t slot) const {
    return static_cast<std::uint32_t>(mix64(seed, slot) % spread_ticks);
  }
  /// The slot with the last moment up to this tick.
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
