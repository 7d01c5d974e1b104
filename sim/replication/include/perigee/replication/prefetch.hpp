/// Loads memory into the cache that is read a little later.
#pragma once

#include <cstddef>

namespace perigee::replication {

inline constexpr std::size_t cache_line_bytes = 64;

/// GCC takes a function that does nothing else for one without effect, and removes its calls: the
/// empty statement prevents that.
inline void prefetch(const void* first, std::size_t bytes) {
  const char* at = static_cast<const char*>(first);
  for (std::size_t line = 0; line < bytes; line += cache_line_bytes) __builtin_prefetch(at + line);
  asm volatile("");
}

}  // namespace perigee::replication
