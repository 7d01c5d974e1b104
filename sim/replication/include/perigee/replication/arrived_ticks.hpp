/// Remembers of which ticks one observer has acknowledged all blocks: the newest tick, and a bit
/// for each tick before it.
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>

#include "perigee/base/tick.hpp"
#include "perigee/base/wire_client.hpp"

namespace perigee::replication {

class ArrivedTicks {
 public:
  /// An observer's blocks are an even number of ticks apart; others count as not arrived. Returns
  /// how many ticks were not noted before.
  std::uint32_t note(Tick newest, TickMask complete);
  bool contains(Tick tick) const {
    if (!newest_) return false;
    const std::int32_t ago = ticks_between(tick, *newest_);
    return ago >= 0 && ago < window_ticks && ago % TickMask::step_ticks == 0 &&
           arrived_[static_cast<std::size_t>(ago / TickMask::step_ticks)];
  }
  std::optional<Tick> newest() const { return newest_; }

 private:
  static constexpr std::int32_t steps = 128, window_ticks = steps * TickMask::step_ticks;
  std::optional<Tick> newest_;
  std::bitset<steps> arrived_;  ///< bit i: the tick i steps before the newest one
};

}  // namespace perigee::replication
