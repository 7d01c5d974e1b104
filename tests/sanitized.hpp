/// Whether a sanitizer is active. Tests are then five to fifteen times as slow, and skip runs of
/// the same code with other seeds, or without the tested feature.
#pragma once

#include <cstdint>

#include "long_run.hpp"

namespace perigee {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// Whether tests are shortened: a sanitizer is active, and the run is not a long one.
inline bool shortened() { return sanitized && !long_run(); }
/// Number of seeds that a test runs out of `count`.
inline std::uint64_t seeds_of(std::uint64_t count) { return shortened() ? 1 : count; }

}  // namespace perigee
