/// The right of a request at the console, from its headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "perigee/base/result.hpp"
#include "perigee/base/scopes.hpp"

namespace perigee::console {

/// The person behind a request, and that person's rights.
struct Operator {
  std::string name;  ///< "alice"; empty: a caller of this machine without a token
  Scopes scopes;
};

struct AccessRules {
  struct Token {
    std::string token;
    Operator of;
  };
  std::vector<Token> tokens;
  /// The port is on loopback, where reading needs no token.
  bool loopback = true;
  /// Further names in the Host header, e.g. of a reverse proxy: "console.example.org".
  std::vector<std::string> hosts;
};

/// Headers of a request; empty: absent.
struct Caller {
  std::string host;    ///< "127.0.0.1:40190"
  std::string origin;  ///< "http://127.0.0.1:40190"; browsers send it with sockets and acts
  std::string token;
};

enum class Denial : std::uint8_t {
  Host,    ///< another name than the console's own: a page of another site resolved to this address
  Origin,  ///< a page of another site
  NoToken,
  WrongToken,
  last = WrongToken
};
struct Denied {
  Denial reason;
  std::string sentence;  ///< with the remedy
};

/// The caller's rights, or why it has none.
class Access {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}
  std::variant<Operator, Denied> rights_of(const Caller& caller) const;

 private:
  bool is_own_name(std::string_view host) const;

  AccessRules rules_;
};

/// Lines of "NAME SCOPES TOKEN"; # begins a comment. Tokens have at least 16 characters. The error
/// names the line, and not the token.
Result<std::vector<AccessRules::Token>> read_operators(std::string_view text);

}  // namespace perigee::console
