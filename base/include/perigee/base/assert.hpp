/// Assertions for the project's own bugs. They are checked in release builds too, because a wrong
/// world is worse than a stopped one. Malformed network input and operator errors are not asserted;
/// they are handled as errors.
#pragma once

namespace perigee {

/// Called with a failed assertion as one line without a line end, before the process aborts.
/// Without a listener the line goes to standard error.
using AssertionListener = void (*)(const char* text) noexcept;
void set_assertion_listener(AssertionListener listener) noexcept;

/// Passes "file:line: expression: message" to the listener and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* message, const char* file,
                                   int line) noexcept;

}  // namespace perigee

#define PERIGEE_ASSERT(condition, message) \
  ((condition) ? static_cast<void>(0)      \
               : ::perigee::assertion_failed(#condition, message, __FILE__, __LINE__))
