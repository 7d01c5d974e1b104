/// Datagrams that the tests of UDP sockets exchange.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "perigee/base/address.hpp"

namespace perigee::host {

inline const Address any_port = Address::v4(127, 0, 0, 1, 0);

inline std::vector<std::byte> numbered(std::uint32_t number, std::size_t size) {
  std::vector<std::byte> bytes(size);
  std::memcpy(bytes.data(), &number, sizeof number);
  return bytes;
}

}  // namespace perigee::host
