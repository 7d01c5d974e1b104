/// The right of a request at the console, from its headers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "perigee/base/result.hpp"

namespace perigee::console {

enum class Right : std::uint8_t { Read, Act, last = Act };

struct AccessRules {
  std::string token;  ///< grants Right::Act
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

/// The caller's right, or why it has none.
class Access {
 public:
  explicit Access(AccessRules rules) : rules_(std::move(rules)) {}
  std::variant<Right, Denied> right_of(const Caller& caller) const;
  const std::string& token() const { return rules_.token; }

 private:
  bool is_own_name(std::string_view host) const;

  AccessRules rules_;
};

}  // namespace perigee::console
