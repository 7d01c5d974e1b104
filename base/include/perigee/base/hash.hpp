/// Fixed, seedable hashing: packet fates, phase classes and state hashes are equal on every
/// machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace perigee {

/// Finaliser of splitmix64 (Vigna): a bijection that mixes all 64 bits.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}
template <class... Rest>
constexpr std::uint64_t mix64(std::uint64_t first, Rest... rest) {
  return mix64(mix64(first) ^ mix64(static_cast<std::uint64_t>(rest)...));
}
/// Uniform in [0, 1) from 53 bits of a hash.
constexpr double unit_interval(std::uint64_t hash) {
  return static_cast<double>(hash >> 11) * 0x1.0p-53;
}

/// Hash of a state, field by field in a fixed order; padding bytes are never hashed.
class StateHash {
 public:
  template <class T>
    requires(std::is_arithmetic_v<T> || std::is_enum_v<T>)
  StateHash& add(T value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    state_ = mix64(state_ ^ bits);
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x5065726967656521ULL;
};

/// A reproducible stream of random numbers; copy it to replay it.
class Random {
 public:
  explicit constexpr Random(std::uint64_t seed) : state_(seed) {}
  constexpr std::uint64_t next() { return mix64(state_++); }
  constexpr double unit() { return unit_interval(next()); }
  constexpr double between(double low, double high) { return low + (high - low) * unit(); }
  /// 0 .. count-1
  constexpr std::uint32_t below(std::uint32_t count) {
    return static_cast<std::uint32_t>((next() >> 32) * count >> 32);
  }

 private:
  std::uint64_t state_;
};

}  // namespace perigee
