/// A UDP endpoint as plain data, shared by sockets, tokens, fabric and the cluster map.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "perigee/base/result.hpp"

namespace perigee {

struct Address {
  enum class Family : std::uint8_t { None = 0, IPv4 = 1, IPv6 = 2 };

  Family family = Family::None;
  std::uint16_t port = 0;             ///< host byte order
  std::array<std::uint8_t, 16> ip{};  ///< network byte order; IPv4 uses the first 4, the rest is 0

  friend constexpr auto operator<=>(const Address&, const Address&) = default;

  static constexpr Address v4(std::uint8_t a, std::uint8_t b, std::uint8_t c, std::uint8_t d,
                              std::uint16_t port) {
    Address address{Family::IPv4, port, {}};
    address.ip[0] = a, address.ip[1] = b, address.ip[2] = c, address.ip[3] = d;
    return address;
  }
  bool valid() const { return family != Family::None; }
  std::uint64_t hash() const;
};

/// "10.0.0.7:40000" or "[::1]:40000".
std::string to_string(const Address& address);
/// The inverse of to_string. Numeric addresses only: the shell resolves names.
Result<Address> parse_address(std::string_view text);
bool is_loopback(const Address& address);
/// Loopback, RFC 1918, RFC 4193 and link-local: the only destinations of unsealed fabric traffic.
bool is_private(const Address& address);

}  // namespace perigee

template <>
struct std::hash<perigee::Address> {
  std::size_t operator()(const perigee::Address& address) const {
    return static_cast<std::size_t>(address.hash());
  }
};
