/// Numbers of any width in bits, least significant bit first, in a few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "perigee/base/assert.hpp"

namespace perigee {

constexpr std::uint64_t low_bits(int count) { return (std::uint64_t{1} << count) - 1; }
/// The signed number in the low `bits` bits.
constexpr std::int64_t signed_bits(std::uint64_t raw, int bits) {
  const int unused = 64 - bits;
  return bits == 0 ? 0 : static_cast<std::int64_t>(raw << unused) >> unused;
}

class BitWriter {
 public:
  explicit BitWriter(std::span<std::byte> out) : out_(out) {}
  /// At most 32 bits; higher ones of `value` are ignored.
  void put(std::uint64_t value, int bits) {
    waiting_ |= (value & low_bits(bits)) << waiting_bits_;
    waiting_bits_ += bits;
    if (waiting_bits_ >= 32) flush(4);
  }
  /// Fills the last byte with zeros. Returns the number of bytes.
  std::size_t finish() {
    if (waiting_bits_ > 0) flush(static_cast<std::size_t>(waiting_bits_ + 7) / 8);
    return at_;
  }

 private:
  void flush(std::size_t bytes) {
    PERIGEE_ASSERT(at_ + bytes <= out_.size(), "the largest record must fit");
    std::memcpy(out_.data() + at_, &waiting_, bytes);
    at_ += bytes;
    waiting_ >>= 32;
    waiting_bits_ -= 32;
  }

  std::span<std::byte> out_;
  std::size_t at_ = 0;
  std::uint64_t waiting_ = 0;
  int waiting_bits_ = 0;
};

class BitReader {
 public:
  explicit BitReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  /// At most 32 bits. Beyond the end: 0, and ok() is false from then on.
  std::uint64_t take(int bits) {
    const std::size_t end = at_ + static_cast<std::size_t>(bits);
    ok_ = ok_ && (end + 7) / 8 <= bytes_.size();
    const std::uint64_t value = ok_ ? eight_from(at_ / 8) >> at_ % 8 : 0;
    at_ = end;
    return value & low_bits(bits);
  }
  bool ok() const { return ok_; }
  std::size_t bytes() const { return (at_ + 7) / 8; }

 private:
  /// Beyond the end: 0.
  std::uint64_t eight_from(std::size_t byte) const {
    std::uint64_t value = 0;
    if (bytes_.size() - byte >= sizeof value) {
      std::memcpy(&value, bytes_.data() + byte, sizeof value);
      return value;
    }
    for (std::size_t i = bytes_.size(); i > byte; --i) {
      value = value << 8 | static_cast<std::uint64_t>(bytes_[i - 1]);
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  std::size_t at_ = 0;
  bool ok_ = true;
};

}  // namespace perigee
