#include "perigee/base/assert.hpp"

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace perigee {
namespace {

void print(const char* text) noexcept {
  std::fprintf(stderr, "%s\n", text);
  std::fflush(stderr);
}

std::atomic<AssertionListener> listener_now = print;

}  // namespace

void set_assertion_listener(AssertionListener listener) noexcept { listener_now = listener; }

void assertion_failed(const char* expression, const char* message, const char* file,
                      int line) noexcept {
  std::array<char, 512> text;
  std::snprintf(text.data(), text.size(), "%s:%d: assertion '%s' failed: %s", file, line,
                expression, message);
  listener_now.load()(text.data());
  std::abort();
}

}  // namespace perigee
