// Layout of a record, least significant bit first: index 20, three offsets of 18 bits, quaternion
// 2 + 3 x 9, velocity exponent 4 + 3 x 7. Two words: 20 + 18 + 18 + 8, and 10 + 29 + 4 + 21.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "perigee/base/wire_world.hpp"

namespace perigee {
namespace {

constexpr std::uint64_t mask(int bits) { return (std::uint64_t{1} << bits) - 1; }

/// The nearest whole number, ties to even, as two's complement in the lower 32 bits. At the
/// magnitude of the sum the last bit of a double has the value 1: the addition rounds, and the low
/// bits of the mantissa are the result.
std::uint64_t rounded(double value) { return std::bit_cast<std::uint64_t>(value + 0x1.8p52); }

constexpr std::int32_t limit_of(int bits) { return static_cast<std::int32_t>(mask(bits - 1)); }
/// Whole steps of a value that is known to be in range.
std::uint64_t whole(double steps, int bits) { return rounded(steps) & mask(bits); }
/// Whole steps, clamped to the symmetric range.
std::uint64_t clamped(double steps, int bits) {
  const auto value = static_cast<std::int32_t>(rounded(steps));
  return static_cast<std::uint64_t>(std::clamp(value, -limit_of(bits), limit_of(bits))) &
         mask(bits);
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

/// The components that are sent when the i-th is the largest.
constexpr std::array<std::array<std::uint8_t, 3>, 4> others{
    {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

std::uint64_t encode_rotation(const Quat& q) {
  const std::array<double, 4> c{q.x, q.y, q.z, q.w};
  // Without branches: the largest component is unpredictable.
  const std::size_t low = std::abs(c[1]) > std::abs(c[0]) ? 1 : 0;
  const std::size_t high = std::abs(c[3]) > std::abs(c[2]) ? 3 : 2;
  const std::size_t largest = std::abs(c[high]) > std::abs(c[low]) ? high : low;
  const double steps = std::copysign(1 / rotation_step, c[largest]);
  const auto part = [&](std::size_t i) {  // in range, because the largest is at least as large
    return whole(c[others[largest][i]] * steps, rotation_bits);
  };
  return largest | part(0) << 2 | part(1) << 11 | part(2) << 20;
}

Quat decode_rotation(std::uint64_t raw) {
  const std::size_t largest = raw & 3;
  std::array<double, 4> c{};
  double sum = 0;
  int at = 2;
  for (const std::uint8_t i : others[largest]) {
    c[i] = restore(raw >> at & mask(rotation_bits), rotation_step, rotation_bits);
    sum += c[i] * c[i];
    at += rotation_bits;
  }
  c[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return normalized(Quat{c[0], c[1], c[2], c[3]});
}

std::uint64_t encode_velocity(Vec3 v) {
  constexpr auto step_max = static_cast<double>(limit_of(velocity_bits));
  constexpr double fastest_max = velocity_step_min * step_max * (1U << (velocity_exponents - 1));
  double fastest = std::max(std::abs(v.x), std::max(std::abs(v.y), std::abs(v.z)));
  if (fastest > fastest_max) {
    v = v * (fastest_max / fastest);
    fastest = fastest_max;
  }
  // The exponent that makes the largest component fit is derived from the double's own exponent.
  const auto bits = std::bit_cast<std::uint64_t>(fastest * (1 / (velocity_step_min * step_max)));
  const int power = static_cast<int>(bits >> 52) - 1023 + ((bits & mask(52)) != 0 ? 1 : 0);
  const int exponent = std::max(power, 0);
  const double steps =
      std::bit_cast<double>(static_cast<std::uint64_t>(1023 + 10 - exponent) << 52);  // 2^(10 - e)
  const auto part = [&](double component) { return whole(component * steps, velocity_bits); };
  return static_cast<std::uint64_t>(exponent) | part(v.x) << 4 | part(v.y) << 11 | part(v.z) << 18;
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
  constexpr std::int32_t index_max = 32'000;
  const double per_m = 1 / cell_m(precision);  // a power of two: exact
  const auto index = [&](double v) {
    return static_cast<std::int16_t>(
        std::clamp(static_cast<std::int32_t>(rounded(v * per_m)), -index_max, index_max));
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
  const std::uint64_t x = clamped(record.offset.x * steps, offset_bits);
  const std::uint64_t y = clamped(record.offset.y * steps, offset_bits);
  const std::uint64_t z = clamped(record.offset.z * steps, offset_bits);
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
