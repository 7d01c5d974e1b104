#include "perigee/client/block_ticks.hpp"

namespace perigee::client {

void BlockTicks::add(const BlockHeader& block) {
  Arrived& of = arrived_[block.tick.count / TickMask::step_ticks % capacity];
  if (of.parts != 0 && before(block.tick, of.tick)) return;
  if (of.parts == 0 || of.tick != block.tick) of = {block.tick, 0, 0};
  of.parts = static_cast<std::uint16_t>(of.parts | 1U << block.part);
  if (block.last_part) of.count = static_cast<std::uint8_t>(block.part + 1);
}

TickMask BlockTicks::complete(Tick newest) const {
  TickMask out;
  for (std::size_t i = 0; i < capacity; ++i) {
    const Tick tick = newest - static_cast<std::int32_t>(i) * TickMask::step_ticks;
    const Arrived& of = arrived_[tick.count / TickMask::step_ticks % capacity];
    if (of.tick == tick && of.all()) out.bits |= 1U << i;
  }
  return out;
}

}  // namespace perigee::client
