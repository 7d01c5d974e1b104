/// The free indices of an array with a fixed size.
#pragma once

#include <cstdint>
#include <vector>

namespace perigee::transport {

/// All indices, as a stack: 0 is taken first.
inline std::vector<std::uint32_t> all_free(std::uint32_t count) {
  std::vector<std::uint32_t> free(count);
  for (std::uint32_t i = 0; i < count; ++i) free[i] = count - 1 - i;
  return free;
}

}  // namespace perigee::transport
