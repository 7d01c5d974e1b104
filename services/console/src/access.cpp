#include "perigee/console/access.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "perigee/base/address.hpp"

namespace perigee::console {
namespace {

constexpr std::size_t token_chars_min = 16;

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

std::variant<Operator, Denied> Access::rights_of(const Caller& caller) const {
  if (!is_own_name(caller.host)) {
    return Denied{Denial::Host, "this console is not called '" + caller.host +
                                    "': open it by its address, or add the name to console.hosts"};
  }
  if (!caller.origin.empty() && caller.origin != "http://" + caller.host &&
      caller.origin != "https://" + caller.host) {
    return Denied{Denial::Origin, "a page of " + caller.origin + " may not use this console"};
  }
  if (!caller.token.empty()) {
    const Operator* found = nullptr;
    for (const auto& known : rules_.tokens) {
      if (same_secret(caller.token, known.token)) found = &known.of;
    }
    if (found != nullptr) return *found;
    return Denied{Denial::WrongToken,
                  "this is not a token of the console: open the address that perigee-console "
                  "prints, or copy the token from its secrets/console_token"};
  }
  if (rules_.loopback) return Operator{.scopes = {Scope::Read}};
  return Denied{Denial::NoToken,
                "a token is needed: open the address that perigee-console prints, or add "
                "#token= and the line in its secrets/console_token"};
}

Result<std::vector<AccessRules::Token>> read_operators(std::string_view text) {
  std::vector<AccessRules::Token> out;
  std::istringstream lines{std::string(text)};
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const auto wrong = [&](const std::string& why) {
      return Error{"line " + std::to_string(number) + ": " + why};
    };
    std::istringstream words(line.substr(0, line.find('#')));
    std::string name, scopes, token, more;
    if (!(words >> name)) continue;
    words >> scopes >> token;
    if (token.empty() || words >> more) return wrong("expected NAME SCOPES TOKEN");
    if (token.size() < token_chars_min) return wrong("a token has at least 16 characters");
    const auto granted = scopes_of(scopes);
    if (!granted) return wrong(granted.error().message);
    out.push_back({.token = token, .of = {.name = name, .scopes = *granted}});
  }
  return out;
}

}  // namespace perigee::console
