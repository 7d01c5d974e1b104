/// Assertions for our own mistakes: checked in release builds too, because a wrong world is worse
/// than a stopped one. Strangers' bytes and the operator's world never end up here.
#pragma once

namespace perigee {

/// Is told of a failed assertion, as one line without its end, before the process aborts. Without a
/// listener the line goes to standard error.
using AssertionListener = void (*)(const char* text) noexcept;
void set_assertion_listener(AssertionListener listener) noexcept;

/// Tells "file:line: expression: message" to the listener and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* message, const char* file,
                                   int line) noexcept;

}  // namespace perigee

#define PERIGEE_ASSERT(condition, message) \
  ((condition) ? static_cast<void>(0)      \
               : ::perigee::assertion_failed(#condition, message, __FILE__, __LINE__))
