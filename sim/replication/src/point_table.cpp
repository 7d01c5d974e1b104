#include "perigee/replication/point_table.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace perigee::replication {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);

std::uint64_t in_every_byte(std::uint8_t byte) { return 0x0101010101010101U * byte; }

}  // namespace

PointTable::PointTable(std::size_t slots_max)
    : spheres_(slots_max),
      reach_m_(slots_max),
      anchors_(slots_max),
      kinds_((slots_max + word_bytes - 1) / word_bytes * word_bytes, absent) {}

// Calls visit(slot) for all of that phase class and movement, eight at a time.
template <class Visit>
void PointTable::for_each(Kind kind, Visit visit) const {
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7FU;
  const std::uint64_t mask = in_every_byte(phase_mask | resting_bit);
  for (std::uint32_t at = 0; at < slots_end_; at += word_bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, &kinds_[at], word_bytes);
    const std::uint64_t differs = (word & mask) ^ in_every_byte(kind);
    // The upper bit of each byte that is 0, and of no other.
    std::uint64_t same = ~(((differs & low_bits) + low_bits) | differs | low_bits);
    for (; same != 0; same &= same - 1) {
      visit(at + static_cast<std::uint32_t>(std::countr_zero(same)) / 8);
    }
  }
}

void PointTable::list_moving(std::uint32_t phase, std::vector<GridPoint>& points) const {
  for_each(static_cast<Kind>(phase), [&](std::uint32_t slot) { points.push_back(point(slot)); });
}

void PointTable::file_resting(std::uint32_t phase, std::vector<GridPoint>& points) {
  for_each(static_cast<Kind>(phase | resting_bit), [&](std::uint32_t slot) {
    kinds_[slot] |= filed_bit;
    anchors_[slot] = spheres_[slot];
    points.push_back(point(slot));
  });
}

void PointTable::file_near(std::vector<GridPoint>& points) {
  for (std::uint32_t at = 0; at < slots_end_; at += word_bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, &kinds_[at], word_bytes);
    // Of most nothing moves; what is absent has the bit of what rests, too.
    std::uint64_t moving = ~word & in_every_byte(resting_bit);
    for (; moving != 0; moving &= moving - 1) {
      const std::uint32_t slot = at + static_cast<std::uint32_t>(std::countr_zero(moving)) / 8;
      if ((kinds_[slot] & large_bit) != 0) continue;
      kinds_[slot] |= filed_bit;
      anchors_[slot] = spheres_[slot];
      points.push_back(point(slot));
    }
  }
}

}  // namespace perigee::replication
