/// Converts addresses between our plain form and the kernel's.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

#include "perigee/base/address.hpp"

namespace perigee::host {

struct SocketAddress {
  sockaddr_in6 storage{};  // large enough for both families
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

inline SocketAddress to_socket_address(const Address& address) {
  SocketAddress out;
  if (address.family == Address::Family::IPv4) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    std::memcpy(&v4.sin_addr, address.ip.data(), 4);
    std::memcpy(&out.storage, &v4, sizeof v4);
    out.size = sizeof v4;
  } else {
    out.storage.sin6_family = AF_INET6;
    out.storage.sin6_port = htons(address.port);
    std::memcpy(&out.storage.sin6_addr, address.ip.data(), 16);
    out.size = sizeof(sockaddr_in6);
  }
  return out;
}

/// For an IPv6 socket: an IPv4 address becomes ::ffff:a.b.c.d.
inline SocketAddress to_mapped_socket_address(const Address& address) {
  if (address.family == Address::Family::IPv6) return to_socket_address(address);
  Address mapped{Address::Family::IPv6, address.port, {}};
  mapped.ip[10] = mapped.ip[11] = 0xff;
  std::memcpy(mapped.ip.data() + 12, address.ip.data(), 4);
  return to_socket_address(mapped);
}

/// The inverse of both.
inline Address from_socket_address(const sockaddr* kernel) {
  Address address;
  if (kernel->sa_family == AF_INET) {
    sockaddr_in v4{};
    std::memcpy(&v4, kernel, sizeof v4);
    address.family = Address::Family::IPv4;
    address.port = ntohs(v4.sin_port);
    std::memcpy(address.ip.data(), &v4.sin_addr, 4);
  } else if (kernel->sa_family == AF_INET6) {
    sockaddr_in6 v6{};
    std::memcpy(&v6, kernel, sizeof v6);
    address.port = ntohs(v6.sin6_port);
    if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
      address.family = Address::Family::IPv4;
      std::memcpy(address.ip.data(), v6.sin6_addr.s6_addr + 12, 4);
    } else {
      address.family = Address::Family::IPv6;
      std::memcpy(address.ip.data(), &v6.sin6_addr, 16);
    }
  }
  return address;
}

}  // namespace perigee::host
