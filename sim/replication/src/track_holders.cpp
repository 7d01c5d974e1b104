#include "perigee/replication/track_holders.hpp"

#include "perigee/base/assert.hpp"
#include "perigee/replication/published.hpp"

namespace perigee::replication {

TrackHolders::Column TrackHolders::enter() {
  if (!free_.empty()) {
    const Column column = free_.back();
    free_.pop_back();
    return column;
  }
  const std::uint32_t plane = columns_used_ / columns_per_plane;
  const std::uint32_t in_plane = columns_used_++ % columns_per_plane;
  if (plane == planes_.size()) planes_.emplace_back(slots_max_);
  return {static_cast<std::uint16_t>(plane),
          static_cast<std::uint8_t>(1 + in_plane / columns_per_word),
          static_cast<std::uint8_t>(in_plane % columns_per_word * held_bits)};
}

void TrackHolders::leave(Column column) {
  PERIGEE_ASSERT(free_.size() < columns_used_, "an observer leaves its column once");
  free_.push_back(column);
}

void TrackHolders::note(std::uint32_t slot, Column column, Precision precision) {
  forget(slot, column);
  const std::uint64_t held = static_cast<std::uint64_t>(precision) + 1;
  planes_[column.plane][slot].words[column.word] |= held << column.shift;
}

void TrackHolders::forget(std::uint32_t slot, Column column) {
  planes_[column.plane][slot].words[column.word] &= ~(std::uint64_t{held_mask} << column.shift);
}

void TrackHolders::outdate(std::uint32_t slot, Precision precision) {
  constexpr std::uint64_t ones = ~std::uint64_t{0} / held_mask;  // 1 for each column
  const std::uint64_t outdated = ones * (static_cast<std::uint64_t>(precision) + 1);
  for (std::vector<Line>& plane : planes_) {
    std::array<std::uint64_t, words_per_line>& words = plane[slot].words;
    words[checked] &= ~in_each_ring(precision);
    for (std::size_t w = 1; w < words.size(); ++w) {
      const std::uint64_t other = words[w] ^ outdated;
      const std::uint64_t stays = (other | other >> 1 | other >> 2 | other >> 3) & ones;
      words[w] &= stays * held_mask;
    }
  }
}

void TrackHolders::clear(std::uint32_t slot) {
  for (std::vector<Line>& plane : planes_) plane[slot] = {};
}

void TrackHolders::note_checked(std::uint32_t slot, Precision precision, bool jointed) {
  constexpr auto enough_bits = [](bool of_jointed) {
    std::array<std::uint64_t, precisions> out{};
    for (std::uint32_t i = 0; i < precisions; ++i) {
      const auto each = static_cast<Precision>(i);
      for (std::uint32_t ring = 0; ring < interest_rings; ++ring) {
        const std::uint64_t all = low_bits(ring_bits) << ring * ring_bits;
        if (wanted_in(ring, of_jointed) >= each) out[i] |= all & in_each_ring(each);
      }
    }
    return out;
  };
  static constexpr std::array of_kind{enough_bits(false), enough_bits(true)};
  const std::uint64_t enough = of_kind[jointed ? 1 : 0][static_cast<std::size_t>(precision)];
  for (std::vector<Line>& plane : planes_) plane[slot].words[checked] |= enough;
}

void TrackHolders::forget_checked(std::uint32_t slot) {
  for (std::vector<Line>& plane : planes_) plane[slot].words[checked] = 0;
}

}  // namespace perigee::replication
