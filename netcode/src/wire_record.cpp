// Layout of a record, least significant bit first: index 20, three offsets of 18 bits, quaternion
// 2 + 3 x 9, velocity exponent 4 + 3 x 7. Two words: 20 + 18 + 18 + 8, and 10 + 29 + 4 + 21.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "perigee/netcode/wire_world.hpp"

namespace perigee {
namespace {

constexpr std::uint64_t mask(int bits) { return (std::uint64_t{1} << bits) - 1; }

/// Two's complement in `bits`, rounded and clamped to the symmetric range.
std::uint64_t quantise(double value, double steps_per_unit, int bits) {
  const auto limit = static_cast<double>(mask(bits - 1));
  const double scaled = std::clamp(value * steps_per_unit, -limit, limit);
  const auto rounded = static_cast<std::int32_t>(scaled + std::copysign(0.5, scaled));
  return static_cast<std::uint64_t>(rounded) & mask(bits);
}
double restore(std::uint64_t raw, double step, int bits) {
  const int unused = 64 - bits;
  return static_cast<double>(static_cast<std::int64_t>(raw << unused) >> unused) * step;
}

constexpr int offset_bits = 18;
constexpr int rotation_bits = 9;
constexpr int velocity_bits = 7;
constexpr double rotation_step = 0.70710678118654752 / 255;  // |smallest three| <= 1/sqrt 2
constexpr int velocity_exponents = 16;
constexpr double velocity_step_min = 1.0 / 1024;  // doubles with the exponent; the last is 32 m/s

std::uint64_t encode_rotation(const Quat& q) {
  const std::array<double, 4> c{q.x, q.y, q.z, q.w};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (std::abs(c[i]) > std::abs(c[largest])) largest = i;
  }
  const double steps = std::copysign(1 / rotation_step, c[largest]);
  std::uint64_t out = largest;
  int at = 2;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    out |= quantise(c[i], steps, rotation_bits) << at;
    at += rotation_bits;
  }
  return out;
}

Quat decode_rotation(std::uint64_t raw) {
  const std::size_t largest = raw & 3;
  std::array<double, 4> c{};
  double sum = 0;
  int at = 2;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    c[i] = restore(raw >> at & mask(rotation_bits), rotation_step, rotation_bits);
    sum += c[i] * c[i];
    at += rotation_bits;
  }
  c[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return normalized(Quat{c[0], c[1], c[2], c[3]});
}

std::uint64_t encode_velocity(const Vec3& v) {
  const double fastest = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  // The exponent that makes the largest component fit: read off the double's own exponent.
  constexpr double smallest_range = velocity_step_min * mask(velocity_bits - 1);
  int exponent = 0;
  if (fastest > smallest_range) {
    const auto bits = std::bit_cast<std::uint64_t>(fastest / smallest_range);
    const bool exact = (bits & mask(52)) == 0;
    exponent =
        std::min(static_cast<int>(bits >> 52) - 1023 + (exact ? 0 : 1), velocity_exponents - 1);
  }
  const double steps = 1 / velocity_step_min / static_cast<double>(1U << exponent);
  return static_cast<std::uint64_t>(exponent) | quantise(v.x, steps, velocity_bits) << 4 |
         quantise(v.y, steps, velocity_bits) << 11 | quantise(v.z, steps, velocity_bits) << 18;
}

Vec3 decode_velocity(std::uint64_t raw) {
  const double step = velocity_step_min * static_cast<double>(1U << (raw & mask(4)));
  const auto component = [&](int at) {
    return restore(raw >> at & mask(velocity_bits), step, velocity_bits);
  };
  return {component(4), component(11), component(18)};
}

}  // namespace

Cell cell_of(const Vec3& world, Precision precision) {
  const auto index = [&](double v) {
    const double cells = std::clamp(v / cell_m(precision), -32000.0, 32000.0);
    return static_cast<std::int16_t>(cells + std::copysign(0.5, cells));
  };
  return {index(world.x), index(world.y), index(world.z)};
}

Vec3 cell_center(const Cell& cell, Precision precision) {
  return Vec3{static_cast<double>(cell.x), static_cast<double>(cell.y),
              static_cast<double>(cell.z)} *
         cell_m(precision);
}

Vec3 origin_of(const GroupFrame& frame) {
  return frame.parent == no_entity ? cell_center(frame.cell, frame.precision) : Vec3{};
}

EncodedRecord encode_record(const EntityRecord& record, Precision precision) {
  const double steps = 1 / offset_step_m(precision);
  const std::uint64_t x = quantise(record.offset.x, steps, offset_bits);
  const std::uint64_t y = quantise(record.offset.y, steps, offset_bits);
  const std::uint64_t z = quantise(record.offset.z, steps, offset_bits);
  const std::array<std::uint64_t, 2> words{
      (record.handle & mask(handle_index_bits)) | x << 20 | y << 38 | z << 56,
      z >> 8 | encode_rotation(record.rotation) << 10 | encode_velocity(record.velocity) << 39};
  EncodedRecord out;
  std::memcpy(out.data(), words.data(), out.size());
  return out;
}

std::optional<EntityRecord> decode_record(const EncodedRecord& bytes, const GroupFrame& frame) {
  std::array<std::uint64_t, 2> words;
  std::memcpy(words.data(), bytes.data(), bytes.size());
  EntityRecord out;
  out.handle = static_cast<Handle>(Handle{frame.block} << handle_index_bits |
                                   (words[0] & mask(handle_index_bits)));
  if (out.handle == no_entity) return std::nullopt;
  const double step = offset_step_m(frame.precision);
  const std::uint64_t z = words[0] >> 56 | (words[1] & mask(10)) << 8;
  out.offset = {restore(words[0] >> 20 & mask(offset_bits), step, offset_bits),
                restore(words[0] >> 38 & mask(offset_bits), step, offset_bits),
                restore(z, step, offset_bits)};
  out.rotation = decode_rotation(words[1] >> 10 & mask(29));
  out.velocity = decode_velocity(words[1] >> 39);
  return out;
}

}  // namespace perigee
