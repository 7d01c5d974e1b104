/// Loads memory into the cache before it is read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee::replication {

inline constexpr std::size_t cache_line_bytes = 64;

/// As many lines, from that of `first` on. GCC treats a function that only prefetches as one
/// without effect, and removes its calls. The empty asm statement prevents that.
template <std::size_t lines>
void prefetch_lines(const void* first) {
  const char* at = static_cast<const char*>(first);
#pragma GCC unroll 8
  for (std::size_t line = 0; line < lines; ++line) {
    __builtin_prefetch(at + line * cache_line_bytes);
  }
  asm volatile("");
}

/// All lines of an object that begins with a line.
template <class T>
void prefetch_all(const T& object) {
  static_assert(alignof(T) % cache_line_bytes == 0);
  prefetch_lines<sizeof(T) / cache_line_bytes>(&object);
}

/// All lines of these bytes.
inline void prefetch(const void* first, std::size_t bytes) {
  const char* at = static_cast<const char*>(first);
  const std::size_t before = reinterpret_cast<std::uintptr_t>(at) % cache_line_bytes;
  const std::size_t end = bytes + before;
  for (std::size_t line = 0; line < end; line += cache_line_bytes) {
    __builtin_prefetch(at - before + line);
  }
  asm volatile("");
}

}  // namespace perigee::replication
