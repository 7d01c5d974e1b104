/// Which slot a handle has. A table of its own, for it is asked of all that moves in every tick.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/netcode/assert.hpp"
#include "perigee/netcode/player_input.hpp"

namespace perigee::replication {

class HandleIndex {
 public:
  static constexpr std::uint32_t none = ~0U;

  /// Takes all memory.
  explicit HandleIndex(std::size_t handles_max);

  std::size_t size() const { return size_; }
  std::uint32_t find(Handle handle) const { return places_[place_of(handle)].slot; }
  /// A handle that is not in it, while there are fewer than handles_max.
  void add(Handle handle, std::uint32_t slot);
  /// One that is in it.
  void remove(Handle handle);

 private:
  /// Handles of one block follow each other, and so they are put: eight to a cache line.
  static constexpr int line_shift = 3;
  struct Place {
    Handle handle = no_entity;
    std::uint32_t slot = none;
  };

  // Lines by Fibonacci's hash: several workers' blocks come to lie between each other.
  std::size_t home(Handle handle) const {
    const std::uint64_t line = (handle >> line_shift) * 0x9E3779B97F4A7C15U >> lines_shift_;
    return line << line_shift | (handle & ((1U << line_shift) - 1));
  }
  std::size_t after(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  /// Its place, or the empty one that it would get.
  std::size_t place_of(Handle handle) const {
    std::size_t at = home(handle);
    while (places_[at].handle != handle && places_[at].handle != no_entity) at = after(at);
    return at;
  }

  std::size_t handles_max_;
  std::vector<Place> places_;  ///< a power of two, half of it empty at least
  int lines_shift_;            ///< of a hash to its line
  std::size_t size_ = 0;
};

}  // namespace perigee::replication
