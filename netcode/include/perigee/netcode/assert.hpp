/// Assertions for our own mistakes: checked in release builds too, because a wrong world is worse
/// than a stopped one. Strangers' bytes and the operator's world never end up here.
#pragma once

namespace perigee {

/// Prints "file:line: expression: message" on standard error and aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* message, const char* file,
                                   int line) noexcept;

}  // namespace perigee

#define PERIGEE_ASSERT(condition, message) \
  ((condition) ? static_cast<void>(0)      \
               : ::perigee::assertion_failed(#condition, message, __FILE__, __LINE__))
