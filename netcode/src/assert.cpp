#include "perigee/netcode/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace perigee {

void assertion_failed(const char* expression, const char* message, const char* file,
                      int line) noexcept {
  std::fprintf(stderr, "%s:%d: assertion '%s' failed: %s\n", file, line, expression, message);
  std::fflush(stderr);
  std::abort();
}

}  // namespace perigee
