/// Loads memory into the cache before it is read.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perigee::replication {

inline constexpr std::size_t cache_line_bytes = 64;

/// All lines of these bytes. GCC treats a function that only prefetches as one without effect, and
/// removes its calls. The empty asm statement prevents that.
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
