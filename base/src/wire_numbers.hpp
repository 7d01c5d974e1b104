/// Numbers and rotations in few bits, for records and own sections.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "perigee/base/bits.hpp"
#include "perigee/base/track_steps.hpp"
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

inline RotationSteps rotation_steps_of_width(const Quat& q, int width) {
  const std::array<double, 4> c{q.x, q.y, q.z, q.w};
  RotationSteps out;
  for (std::uint8_t i = 1; i < c.size(); ++i) {
    if (std::abs(c[i]) > std::abs(c[out.largest])) out.largest = i;
  }
  out.width = static_cast<std::uint8_t>(width);
  const double limit = limit_of(width);
  const double steps = std::copysign(limit / largest_small, c[out.largest]);
  for (std::size_t i = 0; i < out.parts.size(); ++i) {
    const double part = c[others[out.largest][i]] * steps;
    out.parts[i] = static_cast<std::int32_t>(whole(std::clamp(part, -limit, limit)));
  }
  return out;
}
inline RotationSteps rotation_steps(const Quat& q, double step_rad) {
  int width = rotation_width_min;  // a component is half of an angle
  while (width < rotation_width_max && largest_small / limit_of(width) > step_rad / 2) ++width;
  return rotation_steps_of_width(q, width);
}
inline Quat rotation_of(const RotationSteps& rotation) {
  std::array<double, 4> c{};
  double sum = 0;
  for (std::size_t i = 0; i < rotation.parts.size(); ++i) {
    double& part = c[others[rotation.largest][i]];
    part = rotation.parts[i] * (largest_small / limit_of(rotation.width));
    sum += part * part;
  }
  c[rotation.largest] = std::sqrt(std::max(0.0, 1 - sum));
  return normalized(Quat{c[0], c[1], c[2], c[3]});
}

inline void put_rotation(BitWriter& out, const RotationSteps& rotation) {
  out.put(static_cast<std::uint64_t>(rotation.width - rotation_width_min), rotation_width_bits);
  out.put(rotation.largest, 2);
  for (const std::int32_t part : rotation.parts) {
    out.put(static_cast<std::uint64_t>(part), rotation.width);
  }
}
inline RotationSteps take_rotation_steps(BitReader& in) {
  RotationSteps out;
  out.width = static_cast<std::uint8_t>(in.take(rotation_width_bits) + rotation_width_min);
  out.largest = static_cast<std::uint8_t>(in.take(2));
  for (std::int32_t& part : out.parts) {
    part = static_cast<std::int32_t>(signed_bits(in.take(out.width), out.width));
  }
  return out;
}
inline void put_rotation(BitWriter& out, const Quat& q, double step_rad) {
  put_rotation(out, rotation_steps(q, step_rad));
}
inline Quat take_rotation(BitReader& in) { return rotation_of(take_rotation_steps(in)); }

}  // namespace perigee
