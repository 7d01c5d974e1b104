/// Whether tests use their large counts, as requested by `./perigee test --long`.
#pragma once

#include <cstdlib>
#include <string_view>

namespace perigee {

inline bool long_run() {
  const char* length = std::getenv("PERIGEE_TEST_LENGTH");
  return length != nullptr && std::string_view(length) == "long";
}

}  // namespace perigee
