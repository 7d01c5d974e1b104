/// Whether this program was compiled with AddressSanitizer or ThreadSanitizer.
#pragma once

namespace perigee {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // g++
inline constexpr bool sanitized = true;
#elif defined(__has_feature)  // clang
inline constexpr bool sanitized =
    __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace perigee
