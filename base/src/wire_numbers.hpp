/// Numbers and rotations in few bits, for records and own sections.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "perigee/base/bits.hpp"
#include "perigee/base/vec.hpp"

namespace perigee {

/// The nearest whole number, ties to even, for magnitudes below 2^51. At the magnitude of the sum
/// the last bit of a double has the value 1, so the addition rounds.
inline double whole(double value) { return (value + 0x1.8p52) - 0x1.8p52; }

constexpr int rotation_width_bits = 4;  // and this minimum:
constexpr int rotation_width_min = 7;
constexpr int rotation_width_max = 22;
constexpr double largest_small = 0.70710678118654752;  // |smallest three| <= 1/sqrt 2

constexpr double limit_of(int bits) { return static_cast<double>(low_bits(bits - 1)); }

inline void put_whole(BitWriter& out, double steps, int bits) {
  const double limit = limit_of(bits);
  out.put(static_cast<std::uint64_t>(
              static_cast<std::int64_t>(whole(std::clamp(steps, -limit, limit)))),
          bits);
}
inline double take_whole(BitReader& in, int bits) {
  return static_cast<double>(signed_bits(in.take(bits), bits));
}

/// The components that are written when the i-th is the largest.
constexpr std::array<std::array<std::uint8_t, 3>, 4> others{
    {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

inline void put_rotation(BitWriter& out, const Quat& q, double step_rad) {
  const std::array<double, 4> c{q.x, q.y, q.z, q.w};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < c.size(); ++i) {
    if (std::abs(c[i]) > std::abs(c[largest])) largest = i;
  }
  int width = rotation_width_min;  // a component is half of an angle
  while (width < rotation_width_max && largest_small / limit_of(width) > step_rad / 2) ++width;
  out.put(static_cast<std::uint64_t>(width - rotation_width_min), rotation_width_bits);
  out.put(largest, 2);
  const double steps = std::copysign(limit_of(width) / largest_small, c[largest]);
  for (const std::uint8_t i : others[largest]) put_whole(out, c[i] * steps, width);
}
inline Quat take_rotation(BitReader& in) {
  const int width = static_cast<int>(in.take(rotation_width_bits)) + rotation_width_min;
  const auto largest = static_cast<std::size_t>(in.take(2));
  std::array<double, 4> c{};
  double sum = 0;
  for (const std::uint8_t i : others[largest]) {
    c[i] = take_whole(in, width) * (largest_small / limit_of(width));
    sum += c[i] * c[i];
  }
  c[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return normalized(Quat{c[0], c[1], c[2], c[3]});
}

}  // namespace perigee
