/// Tests are five to fifteen times as slow under a sanitizer. They skip runs of the same code with
/// other seeds, or without the tested feature.
#pragma once

#include <cstdint>

#include "long_run.hpp"
#include "perigee/base/sanitized.hpp"

namespace perigee {

/// Whether tests are shortened: a sanitizer is active, and the run is not a long one.
inline bool shortened() { return sanitized && !long_run(); }
/// Number of seeds that a test runs out of `count`.
inline std::uint64_t seeds_of(std::uint64_t count) { return shortened() ? 1 : count; }

}  // namespace perigee
