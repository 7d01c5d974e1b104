#include "perigee/replication/point_table.hpp"

#include <bit>
#include <cstring>

namespace perigee::replication {
namespace {

std::uint64_t in_every_byte(std::uint8_t byte) { return 0x0101010101010101U * byte; }

}  // namespace

PointTable::PointTable(std::size_t slots_max)
    : spheres_(slots_max),
      reach_m_(slots_max),
      anchors_(slots_max),
      kinds_((slots_max + word_kinds - 1) / word_kinds * word_kinds, absent),
      in_use_(kinds_.size() / word_kinds) {}

std::uint64_t PointTable::word(std::size_t index) const {
  std::uint64_t out = 0;
  std::memcpy(&out, &kinds_[index * word_kinds], sizeof out);
  return out;
}

void PointTable::remove(std::uint32_t slot) {
  kinds_[slot] = absent;
  const std::uint32_t index = slot / word_kinds;
  if (word(index) == in_every_byte(absent)) in_use_.remove(index);
}

// Calls visit(slot) for all slots of that phase class and movement, eight at a time.
template <class Visit>
void PointTable::for_each(Kind kind, Visit visit) const {
  constexpr std::uint64_t low_bits = 0x7F7F7F7F7F7F7F7FU;
  const std::uint64_t mask = in_every_byte(phase_mask | resting_bit);
  in_use_.for_each([&](std::size_t index) {
    const std::uint64_t differs = (word(index) & mask) ^ in_every_byte(kind);
    // The upper bit of each byte that is 0, and of no other byte.
    std::uint64_t same = ~(((differs & low_bits) + low_bits) | differs | low_bits);
    for (; same != 0; same &= same - 1) {
      visit(static_cast<std::uint32_t>(index) * word_kinds +
            static_cast<std::uint32_t>(std::countr_zero(same)) / 8);
    }
  });
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
  in_use_.for_each([&](std::size_t index) {
    // Most words have no moving entity; absent ones have the resting bit, too.
    std::uint64_t moving = ~word(index) & in_every_byte(resting_bit);
    for (; moving != 0; moving &= moving - 1) {
      const std::uint32_t slot = static_cast<std::uint32_t>(index) * word_kinds +
                                 static_cast<std::uint32_t>(std::countr_zero(moving)) / 8;
      if ((kinds_[slot] & large_bit) != 0) continue;
      kinds_[slot] |= filed_bit;
      anchors_[slot] = spheres_[slot];
      points.push_back(point(slot));
    }
  });
}

}  // namespace perigee::replication
