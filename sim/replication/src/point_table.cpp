#include "perigee/replication/point_table.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "four_lanes.hpp"
#include "perigee/base/bits.hpp"

namespace perigee::replication {
namespace {

std::uint64_t in_every_byte(std::uint8_t byte) { return 0x0101010101010101U * byte; }

std::size_t up_to_64s(std::size_t slots) { return (slots + 63) / 64 * 64; }

Floats square(Ints steps) {
  const Floats v = __builtin_convertvector(steps, Floats);
  return v * v;
}

}  // namespace

PointTable::PointTable(std::size_t slots_max)
    : spheres_(up_to_64s(slots_max)),
      reach_m_(up_to_64s(slots_max)),
      anchors_(slots_max),
      kinds_((slots_max + word_kinds - 1) / word_kinds * word_kinds, absent),
      in_use_(kinds_.size() / word_kinds) {}

std::uint64_t PointTable::not_within(std::uint32_t first, std::uint64_t slots,
                                     const GridPosition& from, float radius_m,
                                     float inside_m) const {
  static_assert(sizeof(Sphere) == sizeof(Ints) && offsetof(Sphere, position) == 0);
  std::uint64_t out = 0;
  for (std::uint32_t i = 0; i < 64; i += lanes) {
    if ((slots >> i & low_bits(lanes)) == 0) continue;
    const Sphere* sphere = &spheres_[first + i];
    const Ints a = load<Ints>(sphere), b = load<Ints>(sphere + 1), c = load<Ints>(sphere + 2),
               d = load<Ints>(sphere + 3);
    const Ints xy01 = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Ints xy23 = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Ints x = __builtin_shufflevector(xy01, xy23, 0, 1, 4, 5);
    const Ints y = __builtin_shufflevector(xy01, xy23, 2, 3, 6, 7);
    const Ints z = __builtin_shufflevector(__builtin_shufflevector(a, b, 2, 6, 3, 7),
                                           __builtin_shufflevector(c, d, 2, 6, 3, 7), 0, 1, 4, 5);
    const Floats away2 = square(x - from.x) + square(y - from.y) + square(z - from.z);
    const Floats reach_m = load<Floats>(&reach_m_[first + i]);
    const Floats inner_m = (reach_m < radius_m ? reach_m : splat(radius_m)) - inside_m;
    const Floats within =
        (inner_m > 0.0F ? inner_m : Floats{}) * static_cast<float>(GridPosition::steps_per_m);
    const Ints inside = away2 < within * within;  // each is 0 or -1
    const auto pairs = std::bit_cast<std::array<std::uint64_t, 2>>(inside);
    if ((pairs[0] & pairs[1]) == ~std::uint64_t{0}) continue;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      out |= std::uint64_t{inside[lane] == 0} << (i + lane);
    }
  }
  return out & slots;
}

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
