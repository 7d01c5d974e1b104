#include <algorithm>
#include <array>
#include <cmath>

#include "perigee/netcode/wire_world.hpp"

// Layout of a record, least significant bit first: handle 28, three offsets of 18 bits, quaternion
// 2 + 3 x 9, velocity exponent 2 + 3 x 10, one spare bit that is 0.
namespace perigee {
namespace {

class BitWriter {
 public:
  explicit BitWriter(std::array<std::uint8_t, entity_record_bytes>& out) : out_(out) {}
  void bits(std::uint32_t value, int count) {
    for (int i = 0; i < count;) {
      const int room = 8 - at_ % 8;
      const int take = std::min(room, count - i);
      const std::uint32_t part = (value >> i) & ((1U << take) - 1U);
      auto& byte = out_[static_cast<std::size_t>(at_ / 8)];
      byte = static_cast<std::uint8_t>(byte | part << (at_ % 8));
      at_ += take;
      i += take;
    }
  }

 private:
  std::array<std::uint8_t, entity_record_bytes>& out_;
  int at_ = 0;
};

class BitReader {
 public:
  explicit BitReader(const std::array<std::uint8_t, entity_record_bytes>& in) : in_(in) {}
  std::uint32_t bits(int count) {
    std::uint32_t value = 0;
    for (int i = 0; i < count;) {
      const int room = 8 - at_ % 8;
      const int take = std::min(room, count - i);
      const std::uint32_t byte = in_[static_cast<std::size_t>(at_ / 8)];
      value |= ((byte >> (at_ % 8)) & ((1U << take) - 1U)) << i;
      at_ += take;
      i += take;
    }
    return value;
  }

 private:
  const std::array<std::uint8_t, entity_record_bytes>& in_;
  int at_ = 0;
};

// Two's complement in `bits`, rounded and clamped to the symmetric range.
std::uint32_t quantise(double value, double step, int bits) {
  const auto limit = static_cast<double>((1 << (bits - 1)) - 1);
  const double scaled = std::clamp(value / step, -limit, limit);
  const auto rounded = static_cast<std::int32_t>(scaled + (scaled < 0 ? -0.5 : 0.5));
  return static_cast<std::uint32_t>(rounded) & ((1U << bits) - 1U);
}
double restore(std::uint32_t raw, double step, int bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  const auto value = static_cast<std::int32_t>(raw ^ sign) - static_cast<std::int32_t>(sign);
  return value * step;
}

constexpr int handle_bits = 28;
constexpr int offset_bits = 18;
constexpr int rotation_bits = 9;
constexpr int velocity_bits = 10;
constexpr double rotation_step = 0.70710678118654752 / 255;  // |smallest three| <= 1/sqrt 2
constexpr std::array<double, 4> velocity_steps{16.0 / 511, 64.0 / 511, 256.0 / 511, 1024.0 / 511};

void write_rotation(BitWriter& bits, const Quat& q) {
  const std::array<double, 4> c{q.x, q.y, q.z, q.w};
  std::size_t largest = 0;
  for (std::size_t i = 1; i < 4; ++i) {
    if (std::abs(c[i]) > std::abs(c[largest])) largest = i;
  }
  const double sign = c[largest] < 0 ? -1 : 1;
  bits.bits(static_cast<std::uint32_t>(largest), 2);
  for (std::size_t i = 0; i < 4; ++i) {
    if (i != largest) bits.bits(quantise(c[i] * sign, rotation_step, rotation_bits), rotation_bits);
  }
}

Quat read_rotation(BitReader& bits) {
  const std::uint32_t largest = bits.bits(2);
  std::array<double, 4> c{};
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (i == largest) continue;
    c[i] = restore(bits.bits(rotation_bits), rotation_step, rotation_bits);
    sum += c[i] * c[i];
  }
  c[largest] = std::sqrt(std::max(0.0, 1 - sum));
  return normalized(Quat{c[0], c[1], c[2], c[3]});
}

}  // namespace

Cell cell_of(const Vec3& world) {
  const auto index = [](double v) {
    const double cells = std::clamp(v / cell_m, -32000.0, 32000.0);
    return static_cast<std::int16_t>(cells + (cells < 0 ? -0.5 : 0.5));
  };
  return {index(world.x), index(world.y), index(world.z)};
}

Vec3 cell_center(const Cell& cell) { return {cell.x * cell_m, cell.y * cell_m, cell.z * cell_m}; }

bool write_record(ByteWriter& writer, const EntityRecord& record) {
  std::array<std::uint8_t, entity_record_bytes> raw{};
  BitWriter bits(raw);
  bits.bits(record.handle, handle_bits);
  for (const double v : {record.offset.x, record.offset.y, record.offset.z}) {
    bits.bits(quantise(v, offset_step_m, offset_bits), offset_bits);
  }
  write_rotation(bits, record.rotation);
  const double fastest = std::max(
      {std::abs(record.velocity.x), std::abs(record.velocity.y), std::abs(record.velocity.z)});
  std::uint32_t exponent = 0;
  while (exponent < 3 && fastest > velocity_steps[exponent] * 511) ++exponent;
  bits.bits(exponent, 2);
  for (const double v : {record.velocity.x, record.velocity.y, record.velocity.z}) {
    bits.bits(quantise(v, velocity_steps[exponent], velocity_bits), velocity_bits);
  }
  return writer.copy(std::as_bytes(std::span(raw)));
}

bool read_record(ByteReader& reader, EntityRecord& record) {
  std::array<std::uint8_t, entity_record_bytes> raw{};
  if (!reader.copy(std::as_writable_bytes(std::span(raw)))) return false;
  BitReader bits(raw);
  record.handle = bits.bits(handle_bits);
  for (double* v : {&record.offset.x, &record.offset.y, &record.offset.z}) {
    *v = restore(bits.bits(offset_bits), offset_step_m, offset_bits);
  }
  record.rotation = read_rotation(bits);
  const double step = velocity_steps[bits.bits(2)];
  for (double* v : {&record.velocity.x, &record.velocity.y, &record.velocity.z}) {
    *v = restore(bits.bits(velocity_bits), step, velocity_bits);
  }
  return record.handle != no_entity && bits.bits(1) == 0;
}

}  // namespace perigee
