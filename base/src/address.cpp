#include "perigee/base/address.hpp"

#ifdef _WIN32
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#endif

#include <charconv>
#include <cstring>

#include "perigee/base/hash.hpp"

namespace perigee {

std::uint64_t Address::hash() const {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::memcpy(&low, ip.data(), 8);
  std::memcpy(&high, ip.data() + 8, 8);
  return mix64(low, high, static_cast<std::uint64_t>(family) << 16 | port);
}

std::string to_string(const Address& address) {
  char text[INET6_ADDRSTRLEN] = "";
  switch (address.family) {
    case Address::Family::None:
      return "none";
    case Address::Family::IPv4:
      inet_ntop(AF_INET, address.ip.data(), text, sizeof text);
      return std::string(text) + ":" + std::to_string(address.port);
    case Address::Family::IPv6:
      inet_ntop(AF_INET6, address.ip.data(), text, sizeof text);
      return "[" + std::string(text) + "]:" + std::to_string(address.port);
  }
  return "none";
}

Result<Address> parse_address(std::string_view text) {
  const Error error{"address '" + std::string(text) +
                    "' is not of the form 10.0.0.7:40000 or [::1]:40000"};
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return error;
  Address address;
  const std::string_view digits = text.substr(colon + 1);
  const auto [end, code] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  if (code != std::errc{} || end != digits.data() + digits.size()) return error;
  std::string host(text.substr(0, colon));
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    address.family = Address::Family::IPv6;
    if (inet_pton(AF_INET6, host.c_str(), address.ip.data()) != 1) return error;
    return address;
  }
  address.family = Address::Family::IPv4;
  if (inet_pton(AF_INET, host.c_str(), address.ip.data()) != 1) return error;
  return address;
}

bool is_loopback(const Address& address) {
  static constexpr std::array<std::uint8_t, 16> of_ipv6{0, 0, 0, 0, 0, 0, 0, 0,
                                                        0, 0, 0, 0, 0, 0, 0, 1};
  if (address.family == Address::Family::IPv4) return address.ip[0] == 127;
  return address.family == Address::Family::IPv6 && address.ip == of_ipv6;
}

bool is_private(const Address& address) {
  if (is_loopback(address)) return true;
  const auto& ip = address.ip;
  if (address.family == Address::Family::IPv4) {
    return ip[0] == 10 || (ip[0] == 172 && (ip[1] & 0xf0) == 16) ||
           (ip[0] == 192 && ip[1] == 168) || (ip[0] == 169 && ip[1] == 254);
  }
  if (address.family != Address::Family::IPv6) return false;
  return (ip[0] & 0xfe) == 0xfc || (ip[0] == 0xfe && (ip[1] & 0xc0) == 0x80);
}

}  // namespace perigee
