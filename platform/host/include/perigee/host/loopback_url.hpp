/// Whether what is sent to a URL stays on this machine.
#pragma once

#include <string_view>

namespace perigee::host {

/// `url`: with a scheme, like "http://127.0.0.1:4318".
bool is_loopback_url(std::string_view url);

}  // namespace perigee::host
