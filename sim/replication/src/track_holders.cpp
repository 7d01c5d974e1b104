#include "perigee/replication/track_holders.hpp"

#include <algorithm>

namespace perigee::replication {

TrackHolders::TrackHolders(std::size_t slots_max) : lines_(slots_max) {}

TrackHolders::Place TrackHolders::enter() {
  if (!free_.empty()) {
    const Place place = free_.back();
    free_.pop_back();
    return place;
  }
  if (word_of(places_used_) == row_lines() * words_per_line) widen_rows();
  return places_used_++;
}

void TrackHolders::widen_rows() {
  const std::size_t narrow = row_lines(), slots = lines_.size() / narrow;
  std::vector<Line> wide(2 * lines_.size());
  for (std::size_t slot = 0; slot < slots; ++slot) {
    std::copy_n(&lines_[slot * narrow], narrow, &wide[slot * 2 * narrow]);
  }
  lines_ = std::move(wide);
  ++row_shift_;
}

void TrackHolders::note(std::uint32_t slot, Place place, Precision precision) {
  forget(slot, place);
  const std::uint64_t held = static_cast<std::uint64_t>(precision) + 1;
  word(slot, word_of(place)) |= held << shift_of(place);
}

void TrackHolders::forget(std::uint32_t slot, Place place) {
  word(slot, word_of(place)) &= ~(std::uint64_t{held_mask} << shift_of(place));
}

void TrackHolders::outdate(std::uint32_t slot, Precision precision) {
  constexpr std::uint64_t ones = ~std::uint64_t{0} / held_mask;  // 1 for each place
  const std::uint64_t outdated = ones * (static_cast<std::uint64_t>(precision) + 1);
  const std::uint64_t checked = word(slot, 0);
  for (Line& line : row(slot)) {
    for (std::uint64_t& word : line.words) {
      const std::uint64_t other = word ^ outdated;
      const std::uint64_t stays = (other | other >> 1 | other >> 2 | other >> 3) & ones;
      word &= stays * held_mask;
    }
  }
  word(slot, 0) = checked;
}

void TrackHolders::clear(std::uint32_t slot) { std::ranges::fill(row(slot), Line{}); }

}  // namespace perigee::replication
