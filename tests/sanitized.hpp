/// Tests are five to fifteen times as slow under a sanitizer. They skip runs of the same code with
/// other seeds, or without the tested feature.
#pragma once

#include <cstdint>
#include <vector>

#include "long_run.hpp"
#include "perigee/base/sanitized.hpp"

namespace perigee {

/// Whether tests are shortened: a sanitizer is active, and the run is not a long one.
inline bool shortened() { return sanitized && !long_run(); }
/// Number of seeds that a test runs out of `count`: `few` if tests are shortened.
inline std::uint64_t seeds_of(std::uint64_t count, std::uint64_t few = 1) {
  return shortened() ? few : count;
}
/// Values of a parameter: the first and the last if tests are shortened.
template <class Value>
std::vector<Value> extremes_of(const std::vector<Value>& all) {
  return shortened() ? std::vector<Value>{all.front(), all.back()} : all;
}

}  // namespace perigee
