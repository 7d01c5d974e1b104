/// For each entity, the observers that certainly have one of its newest shared tracks. Up to 112
/// observers share a plane, in which an entity has one cache line: their looks at it read the same
/// memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "perigee/base/bits.hpp"
#include "perigee/base/interest.hpp"
#include "perigee/base/track_steps.hpp"
#include "perigee/replication/prefetch.hpp"

namespace perigee::replication {

class TrackHolders {
 public:
  /// Of an observer: half a byte in each line of its plane.
  struct Column {
    std::uint16_t plane = 0;
    std::uint8_t word = 1;
    std::uint8_t shift = 0;
    friend bool operator==(const Column&, const Column&) = default;
  };
  /// For slots below `slots_max`.
  explicit TrackHolders(std::size_t slots_max) : slots_max_(slots_max) {}

  /// The column of a new observer, which has no track. The first of 112 observers takes a plane: 64
  /// bytes for each slot.
  Column enter();
  /// Of an observer that has no track any more: forget() was called for all that it had.
  void leave(Column column);

  /// The observer certainly has the newest track of that class, with its heading, from this worker.
  void note(std::uint32_t slot, Column column, Precision precision);
  /// The observer may lack it.
  void forget(std::uint32_t slot, Column column);
  /// The class has a newer track or heading. No observer has it yet, and it is not checked.
  void outdate(std::uint32_t slot, Precision precision);
  /// For a new entity in this slot.
  void clear(std::uint32_t slot);

  /// The newest track of that class tells the entity's place in this tick. `jointed` as in
  /// wanted_in().
  void note_checked(std::uint32_t slot, Precision precision, bool jointed);
  void forget_checked(std::uint32_t slot);

  class Notes;
  /// Of one observer. Valid until enter().
  Notes notes_of(Column column) const;

 private:
  static constexpr std::size_t words_per_line = cache_line_bytes / sizeof(std::uint64_t);
  /// Of an observer: 0, or the class of its track plus one.
  static constexpr std::uint32_t held_bits = 4, held_mask = (1U << held_bits) - 1;
  static constexpr std::uint32_t columns_per_word = 64 / held_bits;
  static constexpr std::uint32_t columns_per_plane = (words_per_line - 1) * columns_per_word;
  static_assert(precisions < held_mask);
  /// The first word has for each ring a bit for each class that was checked in this tick and is
  /// precise enough there. The bit of class c is at c + 1, where a held track's number points to.
  static constexpr std::size_t checked = 0;
  static constexpr std::uint32_t ring_bits = 8;
  static_assert(precisions < ring_bits && interest_rings * ring_bits <= 64);
  struct alignas(cache_line_bytes) Line {
    std::array<std::uint64_t, words_per_line> words{};
  };
  static constexpr std::uint64_t in_each_ring(Precision precision) {
    constexpr std::uint64_t ones = ~std::uint64_t{0} / low_bits(ring_bits);
    return ones << (static_cast<unsigned>(precision) + 1);
  }

  std::size_t slots_max_;
  std::vector<std::vector<Line>> planes_;  ///< a line for each slot
  std::vector<Column> free_;
  std::uint32_t columns_used_ = 0;
};

class TrackHolders::Notes {
 public:
  /// The observer has a track that was checked in this tick, and is precise enough in that ring.
  bool has_checked(std::uint32_t slot, std::uint32_t ring) const {
    const Line& line = lines_[slot];
    const std::uint64_t held = line.words[column_.word] >> column_.shift & held_mask;
    const std::uint64_t enough = line.words[checked] >> ring * ring_bits & low_bits(ring_bits);
    return (enough >> held & 1U) != 0;
  }
  /// Loads what has_checked() reads into the cache.
  void prefetch(std::uint32_t slot) const { prefetch_all(lines_[slot]); }

 private:
  friend TrackHolders;
  Notes(const Line* lines, Column column) : lines_(lines), column_(column) {}

  const Line* lines_;
  Column column_;
};

inline TrackHolders::Notes TrackHolders::notes_of(Column column) const {
  return {planes_[column.plane].data(), column};
}

}  // namespace perigee::replication
