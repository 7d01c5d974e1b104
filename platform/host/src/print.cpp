#include "perigee/host/print.hpp"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>

namespace perigee::host {

void print(std::string& to, const char* format, ...) {
  std::array<char, 256> line;
  std::va_list arguments;
  va_start(arguments, format);
  const int size = std::vsnprintf(line.data(), line.size(), format, arguments);
  va_end(arguments);
  to.append(line.data(), static_cast<std::size_t>(std::clamp(size, 0, 255)));
}

}  // namespace perigee::host
