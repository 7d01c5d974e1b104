/// printf that appends to a string; shells write tables and CSV with it.
#pragma once

#include <string>

namespace perigee::host {

/// At most 255 characters per call; longer text is truncated.
[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...);

}  // namespace perigee::host
