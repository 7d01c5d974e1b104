/// For each entity, the observers that certainly have one of its newest shared tracks. The looks of
/// all observers at an entity read the same one or two cache lines.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "perigee/base/bits.hpp"
#include "perigee/base/wire_track.hpp"
#include "perigee/replication/prefetch.hpp"

namespace perigee::replication {

class TrackHolders {
 public:
  /// The number of an observer here.
  using Place = std::uint32_t;
  explicit TrackHolders(std::size_t slots_max);

  /// The place of a new observer, which has no track. If all places are taken, there are twice as
  /// many afterwards.
  Place enter();
  /// Of an observer that has no track any more: forget() was called for all that it had.
  void leave(Place place) { free_.push_back(place); }

  /// The observer certainly has the newest track of that class, and its heading.
  void note(std::uint32_t slot, Place place, Precision precision);
  void forget(std::uint32_t slot, Place place);
  /// The class has a newer track, which nobody has yet.
  void outdate(std::uint32_t slot, Precision precision);
  /// For a new entity in this slot.
  void clear(std::uint32_t slot);

  /// The newest track of that class tells the entity's present place.
  void note_checked(std::uint32_t slot, Precision precision) {
    word(slot, 0) |= std::uint64_t{1} << static_cast<unsigned>(precision);
  }
  /// At the start of a tick.
  void forget_checked(std::uint32_t slot) { word(slot, 0) = 0; }

  /// The observer has a track that was checked in this tick, and is precise enough.
  bool has_checked(std::uint32_t slot, Place place, Precision wanted) const {
    const std::uint64_t held = word(slot, word_of(place)) >> shift_of(place) & held_mask;
    const std::uint64_t enough = word(slot, 0) & low_bits(static_cast<int>(wanted) + 1);
    return (enough << 1 >> held & 1U) != 0;
  }
  /// Loads what has_checked() reads into the cache.
  void prefetch(std::uint32_t slot, Place place) const {
    replication::prefetch(
        &lines_[(std::size_t{slot} << row_shift_) + word_of(place) / words_per_line],
        cache_line_bytes);
  }

 private:
  /// Of an observer: 0, or the class of its track plus one.
  static constexpr std::uint32_t held_bits = 4, held_mask = (1U << held_bits) - 1;
  static constexpr std::uint32_t places_per_word = 64 / held_bits;
  static_assert(precisions < held_mask);
  /// The first word of a row has a bit for each class that was checked in this tick.
  static constexpr std::size_t word_of(Place place) { return 1 + place / places_per_word; }
  static constexpr std::uint32_t shift_of(Place place) {
    return place % places_per_word * held_bits;
  }
  static constexpr std::size_t words_per_line = cache_line_bytes / sizeof(std::uint64_t);
  struct alignas(cache_line_bytes) Line {
    std::array<std::uint64_t, words_per_line> words{};
  };
  std::uint64_t& word(std::uint32_t slot, std::size_t at) {
    return lines_[(std::size_t{slot} << row_shift_) + at / words_per_line]
        .words[at % words_per_line];
  }
  std::uint64_t word(std::uint32_t slot, std::size_t at) const {
    return const_cast<TrackHolders*>(this)->word(slot, at);
  }
  std::span<Line> row(std::uint32_t slot) {
    return std::span(lines_).subspan(std::size_t{slot} << row_shift_, row_lines());
  }
  std::size_t row_lines() const { return std::size_t{1} << row_shift_; }
  void widen_rows();

  int row_shift_ = 0;
  std::vector<Line> lines_;  ///< a row for each slot: one line for 112 observers, two for 240
  std::vector<Place> free_;
  Place places_used_ = 0;
};

}  // namespace perigee::replication
