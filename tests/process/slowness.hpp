/// Sanitizers slow a process down, ThreadSanitizer by five to fifteen times. Process tests wait in
/// real time: their timeouts, and the gaps that they allow players to see, are multiplied by this
/// factor. cmake/PerigeeRoom.cmake multiplies the time limits of whole tests likewise.
#pragma once

#include <chrono>
#include <thread>

#include "sanitized.hpp"

namespace perigee::process_test {

inline constexpr int slowness = sanitized ? 5 : 1;

/// Timeout of a test for an expected event. How fast it happens on a busy machine is not judged.
inline constexpr std::chrono::seconds patience{60 * slowness};

/// Polls until `done` holds. False: it did not within `at_most`.
template <class Done>
bool comes(Done done, std::chrono::milliseconds every = std::chrono::milliseconds(50),
           std::chrono::seconds at_most = patience) {
  const auto deadline = std::chrono::steady_clock::now() + at_most;
  while (!done()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(every);
  }
  return true;
}

}  // namespace perigee::process_test
