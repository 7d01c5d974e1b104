/// Whether a sanitizer looks on. A test is five to fifteen times as slow then, and need not see the
/// same code run with another seed, or without what is tested.
#pragma once

#include <cstdint>

#include "long_run.hpp"

namespace perigee {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// How many seeds a test plays of `count`; all of them in a long run.
inline std::uint64_t seeds_of(std::uint64_t count) { return sanitized && !long_run() ? 1 : count; }

}  // namespace perigee
