/// A subset of the last 32 ticks.
#pragma once

#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::worker {

/// Stores ticks modulo `capacity_ticks`; the caller removes ticks before they become older than
/// that.
class TickSet {
 public:
  static constexpr std::uint32_t capacity_ticks = 32;

  bool empty() const { return bits_ == 0; }
  bool has(Tick tick) const { return (bits_ & bit(tick)) != 0; }
  void add(Tick tick) { bits_ |= bit(tick); }
  void remove(Tick tick) { bits_ &= ~bit(tick); }
  void clear() { bits_ = 0; }

 private:
  static std::uint32_t bit(Tick tick) { return 1U << tick.count % capacity_ticks; }
  std::uint32_t bits_ = 0;
};

}  // namespace perigee::worker
