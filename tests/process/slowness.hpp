/// Sanitizers slow a process down, ThreadSanitizer by five to fifteen times. Process tests wait for
/// what processes do in real time: what they wait for at most, and what they allow a player to
/// feel, grows with this. cmake/PerigeeRoom.cmake gives the tests as a whole as much more time.
#pragma once

#include <chrono>
#include <thread>

#include "sanitized.hpp"

namespace perigee::process_test {

inline constexpr int slowness = sanitized ? 5 : 1;

/// A test waits that long for what has to come. How fast it comes on a busy machine is not judged.
inline constexpr std::chrono::seconds patience{60 * slowness};

/// Looks again and again until `done` holds. False: it did not, with all patience.
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
