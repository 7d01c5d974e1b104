/// Maps handles to slots. A table of its own, because each moving entity is looked up in every
/// tick.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/assert.hpp"
#include "perigee/base/player_input.hpp"

namespace perigee::replication {

class HandleIndex {
 public:
  static constexpr std::uint32_t none = ~0U;

  /// Allocates all memory.
  explicit HandleIndex(std::size_t handles_max);

  std::size_t size() const { return size_; }
  std::uint32_t find(Handle handle) const { return places_[place_of(handle)].slot; }
  /// Adds a handle that is not in the table; at most handles_max.
  void add(Handle handle, std::uint32_t slot);
  /// Removes a handle that is in the table.
  void remove(Handle handle);

 private:
  /// Handles of one block are consecutive, and are stored so: eight to a cache line.
  static constexpr int line_shift = 3;
  struct Place {
    Handle handle = no_entity;
    std::uint32_t slot = none;
  };

  // Lines by Fibonacci hashing, so that the blocks of several workers interleave.
  std::size_t home(Handle handle) const {
    const std::uint64_t line = (handle >> line_shift) * 0x9E3779B97F4A7C15U >> lines_shift_;
    return line << line_shift | (handle & ((1U << line_shift) - 1));
  }
  std::size_t after(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  /// The place of the handle, or the free place for it.
  std::size_t place_of(Handle handle) const {
    std::size_t at = home(handle);
    while (places_[at].handle != handle && places_[at].handle != no_entity) at = after(at);
    return at;
  }

  std::size_t handles_max_;
  std::vector<Place> places_;  ///< size is a power of two; at least half is free
  int lines_shift_;            ///< from a hash to its line
  std::size_t size_ = 0;
};

}  // namespace perigee::replication
