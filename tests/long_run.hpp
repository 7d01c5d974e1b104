/// Whether tests with a count to choose take the large one: `./perigee test --long` asks for it.
#pragma once

#include <cstdlib>
#include <string_view>

namespace perigee {

inline bool long_run() {
  const char* length = std::getenv("PERIGEE_TEST_LENGTH");
  return length != nullptr && std::string_view(length) == "long";
}

}  // namespace perigee
