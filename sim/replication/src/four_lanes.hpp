/// Four numbers at a time, which every machine can do: vector extensions of GCC and Clang.
#pragma once

#include <cstdint>
#include <cstring>

namespace perigee::replication {

inline constexpr std::uint32_t lanes = 4;
using Ints = std::int32_t __attribute__((vector_size(lanes * 4)));
using Words = std::uint32_t __attribute__((vector_size(lanes * 4)));
using Floats = float __attribute__((vector_size(lanes * 4)));

template <class Vector, class T>
Vector load(const T* from) {
  Vector out;
  std::memcpy(&out, from, sizeof out);
  return out;
}

inline Floats splat(float v) { return v - Floats{}; }

}  // namespace perigee::replication
