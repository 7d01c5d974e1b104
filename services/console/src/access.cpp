#include "perigee/console/access.hpp"

#include <algorithm>
#include <array>

#include "perigee/base/address.hpp"

namespace perigee::console {
namespace {

/// Without the port: "[::1]:80" -> "[::1]", "a:80" -> "a".
std::string_view without_port(std::string_view host) {
  const std::size_t name_end = host.starts_with('[') ? host.find(']') : 0;
  if (name_end == std::string_view::npos) return host;
  return host.substr(0, host.find(':', name_end));
}

/// The time does not depend on where the texts differ.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    differences |= static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i]));
  }
  return differences == 0;
}

}  // namespace

// A name that is no address could be one that an attacker's DNS server resolves to this machine.
bool Access::is_own_name(std::string_view host) const {
  const std::string_view name = without_port(host);
  if (name == "localhost" || std::ranges::find(rules_.hosts, name) != rules_.hosts.end()) {
    return true;
  }
  return static_cast<bool>(parse_address(std::string(name) + ":1"));
}

std::variant<Right, Denied> Access::right_of(const Caller& caller) const {
  if (!is_own_name(caller.host)) {
    return Denied{Denial::Host, "this console is not called '" + caller.host +
                                    "': open it by its address, or add the name to console.hosts"};
  }
  if (!caller.origin.empty() && caller.origin != "http://" + caller.host &&
      caller.origin != "https://" + caller.host) {
    return Denied{Denial::Origin, "a page of " + caller.origin + " may not use this console"};
  }
  if (!caller.token.empty()) {
    if (same_secret(caller.token, rules_.token)) return Right::Act;
    return Denied{Denial::WrongToken,
                  "this is not the console's token: open the address that perigee-console prints, "
                  "or copy the token from its secrets/console_token"};
  }
  if (rules_.loopback) return Right::Read;
  return Denied{Denial::NoToken,
                "a token is needed: open the address that perigee-console prints, or add "
                "#token= and the line in its secrets/console_token"};
}

}  // namespace perigee::console
