/// Which ticks of a stream have arrived completely: all blocks of them, with everything in them
/// used.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/tick.hpp"
#include "perigee/base/wire_client.hpp"
#include "perigee/base/wire_world.hpp"

namespace perigee::client {

class BlockTicks {
 public:
  void add(const BlockHeader& block);
  /// The complete ones among the ticks that a mask can name.
  TickMask complete(Tick newest) const;

 private:
  static constexpr std::size_t capacity = TickMask::ticks / TickMask::step_ticks;
  struct Arrived {
    Tick tick;
    std::uint16_t parts = 0;  ///< a bit each
    std::uint8_t count = 0;   ///< 0: the last one has not arrived
    bool all() const { return count != 0 && parts == (1U << count) - 1; }
  };
  static_assert(block_parts_max <= 16);

  std::array<Arrived, capacity> arrived_{};
};

}  // namespace perigee::client
