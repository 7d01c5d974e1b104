/// Sanitizers slow a process down, ThreadSanitizer by five to fifteen times. Process tests wait for
/// what processes do in real time: what they wait for at most, and what they allow a player to
/// feel, grows with this. cmake/PerigeeRoom.cmake gives the tests as a whole as much more time.
#pragma once

#include "sanitized.hpp"

namespace perigee::process_test {

inline constexpr int slowness = sanitized ? 5 : 1;

}  // namespace perigee::process_test
