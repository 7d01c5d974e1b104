/// A subset of the last 256 ticks.
#pragma once

#include <array>
#include <cstdint>

#include "perigee/base/tick.hpp"

namespace perigee::worker {

/// Stores ticks modulo `capacity_ticks`; the caller removes ticks before they become older than
/// that.
class TickSet {
 public:
  static constexpr std::uint32_t capacity_ticks = 256;

  bool empty() const { return (bits_[0] | bits_[1] | bits_[2] | bits_[3]) == 0; }
  bool has(Tick tick) const { return (word(tick) & bit(tick)) != 0; }
  void add(Tick tick) { word(tick) |= bit(tick); }
  void remove(Tick tick) { word(tick) &= ~bit(tick); }
  void clear() { bits_ = {}; }

 private:
  static std::uint64_t bit(Tick tick) { return std::uint64_t{1} << tick.count % 64; }
  std::uint64_t& word(Tick tick) { return bits_[tick.count / 64 % bits_.size()]; }
  std::uint64_t word(Tick tick) const { return bits_[tick.count / 64 % bits_.size()]; }

  std::array<std::uint64_t, capacity_ticks / 64> bits_{};
};

}  // namespace perigee::worker
