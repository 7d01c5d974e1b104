/// A hash table of fixed capacity: all memory is allocated at construction, and look-ups take
/// constant time under any number of unauthenticated senders. Open addressing at half load with
/// backward-shift erasure.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "perigee/base/address.hpp"
#include "perigee/base/assert.hpp"
#include "perigee/base/hash.hpp"
#include "perigee/transport/constants.hpp"

namespace perigee::transport {

inline std::uint64_t table_hash(const Address& address) { return address.hash(); }
inline std::uint64_t table_hash(std::uint64_t number) { return mix64(number); }
inline std::uint64_t table_hash(const Tag& tag) {
  std::uint64_t low = 0;
  std::memcpy(&low, tag.data(), sizeof low);  // a tag is practically random
  return low;
}

/// Maps keys to indices of the caller's own array.
template <class Key>
class FixedTable {
 public:
  /// `salt` keeps attackers from choosing keys that collide.
  FixedTable(std::size_t capacity, std::uint64_t salt)
      : places_(std::bit_ceil(capacity * 2)), capacity_(capacity), salt_(salt) {}

  std::size_t size() const { return size_; }
  const std::uint32_t* find(const Key& key) const {
    const std::size_t at = place_of(key);
    return places_[at].used ? &places_[at].value : nullptr;
  }
  /// The key must not be in the table, and the table must not be full: its capacity is that of the
  /// caller's array.
  void insert(const Key& key, std::uint32_t value) {
    PERIGEE_ASSERT(size_ < capacity_, "FixedTable over its limit");
    Place& place = places_[place_of(key)];
    PERIGEE_ASSERT(!place.used, "key inserted twice");
    place = {key, value, true};
    ++size_;
  }
  bool erase(const Key& key) {
    std::size_t hole = place_of(key);
    if (!places_[hole].used) return false;
    for (std::size_t at = next(hole); places_[at].used; at = next(at)) {
      const std::size_t wished = home_of(places_[at].key);
      if (((at - wished) & mask()) < ((at - hole) & mask())) continue;  // its home is past the hole
      places_[hole] = places_[at];
      hole = at;
    }
    places_[hole].used = false;
    --size_;
    return true;
  }

 private:
  struct Place {
    Key key{};
    std::uint32_t value = 0;
    bool used = false;
  };
  std::size_t mask() const { return places_.size() - 1; }
  std::size_t next(std::size_t at) const { return (at + 1) & mask(); }
  std::size_t home_of(const Key& key) const { return mix64(table_hash(key) ^ salt_) & mask(); }
  /// The place of the key, or the free place for it. Half the places are free, so the search ends.
  std::size_t place_of(const Key& key) const {
    std::size_t at = home_of(key);
    while (places_[at].used && !(places_[at].key == key)) at = next(at);
    return at;
  }

  std::vector<Place> places_;
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::uint64_t salt_;
};

}  // namespace perigee::transport
