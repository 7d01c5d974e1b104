/// Values by keys other than 0, in memory that is allocated at once: open addressing. A table of
/// its own, because each moving entity is looked up in every tick.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/assert.hpp"

namespace perigee::replication {

template <class Value>
class KeyTable {
 public:
  using Key = std::uint32_t;

  /// Has no room and must not be asked.
  KeyTable() = default;
  explicit KeyTable(std::size_t keys_max)
      : keys_max_(keys_max),
        places_(std::bit_ceil(std::max<std::size_t>(2 * keys_max, 2U << line_shift))),
        lines_shift_(64 + line_shift - std::countr_zero(places_.size())) {}

  std::size_t size() const { return size_; }
  bool full() const { return size_ == keys_max_; }
  /// A default value if the key is not in the table.
  const Value& value(Key key) const { return places_[place_of(key)].value; }
  /// Null if the key is not in the table. Valid until the next remove().
  Value* find(Key key) {
    Place& place = places_[place_of(key)];
    return place.key != 0 ? &place.value : nullptr;
  }
  /// The key must not be in the table, and the table not full().
  Value& add(Key key, const Value& value) {
    Place& place = places_[place_of(key)];
    PERIGEE_ASSERT(key != 0 && place.key == 0, "the key is already in the table");
    PERIGEE_ASSERT(size_ < keys_max_, "more keys than keys_max");
    place = {key, value};
    ++size_;
    return place.value;
  }
  /// False if the key is not in the table.
  bool remove(Key key) {
    std::size_t hole = place_of(key);
    if (places_[hole].key == 0) return false;
    // Moves later entries into the hole, unless that would be before their home.
    for (std::size_t at = after(hole); places_[at].key != 0; at = after(at)) {
      if (way(home(places_[at].key), at) < way(hole, at)) continue;
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole] = {};
    --size_;
    return true;
  }
  void clear() {
    std::fill(places_.begin(), places_.end(), Place{});
    size_ = 0;
  }

 private:
  /// Handles of one block are consecutive, and so are many slots. They are stored so: eight to a
  /// line.
  static constexpr int line_shift = 3;
  struct Place {
    Key key = 0;
    Value value{};
  };

  // Lines by Fibonacci hashing, so that the blocks of several workers interleave.
  std::size_t home(Key key) const {
    const std::uint64_t line = (key >> line_shift) * 0x9E3779B97F4A7C15U >> lines_shift_;
    return line << line_shift | (key & ((1U << line_shift) - 1));
  }
  std::size_t after(std::size_t place) const { return (place + 1) & (places_.size() - 1); }
  std::size_t way(std::size_t from, std::size_t to) const {
    return (to - from) & (places_.size() - 1);
  }
  /// The place of the key, or the free place for it.
  std::size_t place_of(Key key) const {
    std::size_t at = home(key);
    while (places_[at].key != key && places_[at].key != 0) at = after(at);
    return at;
  }

  std::size_t keys_max_ = 0;
  std::vector<Place> places_;  ///< size is a power of two; at least half is free
  int lines_shift_ = 0;        ///< from a hash to its line
  std::size_t size_ = 0;
};

}  // namespace perigee::replication
