#include "perigee/host/loopback_url.hpp"

namespace perigee::host {

bool is_loopback_url(std::string_view url) {
  const std::string_view authority = url.substr(url.find("://") + 3);
  for (const std::string_view own : {"127.0.0.1", "localhost", "[::1]"}) {
    if (!authority.starts_with(own)) continue;
    const std::string_view rest = authority.substr(own.size());
    if (rest.empty() || rest[0] == ':' || rest[0] == '/') return true;
  }
  return false;
}

}  // namespace perigee::host
