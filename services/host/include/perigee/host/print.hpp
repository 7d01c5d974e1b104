/// printf at the end of a string: what tables and JSON of a shell are written with.
#pragma once

#include <string>

namespace perigee::host {

/// At most 255 characters a call; more are cut.
[[gnu::format(printf, 2, 3)]] void print(std::string& to, const char* format, ...);

}  // namespace perigee::host
