/// Encoding of byte arrays and addresses in netcode 1.02, for both cursors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "perigee/base/bytes.hpp"
#include "perigee/transport/connect_token.hpp"

namespace perigee::transport {

/// A std::array of bytes, unchanged.
template <class Cursor, class Array>
bool walk_array(Cursor& cursor, Array& array) {
  return cursor.copy(array);
}

/// [type][4 bytes | 8 x u16, each little-endian][port u16].
template <class Cursor, class A>
bool walk_address(Cursor& cursor, A& address) {
  auto type = static_cast<std::uint8_t>(address.family);
  if (!cursor.number(type) || type < 1 || type > 2) return false;
  if constexpr (Cursor::reading) address.family = static_cast<Address::Family>(type);
  auto ip = address.ip;
  const std::size_t size = type == 1 ? 4 : 16;
  const auto swap_groups = [&ip] {  // the standard's groups are little-endian
    for (std::size_t i = 0; i < 16; i += 2) std::swap(ip[i], ip[i + 1]);
  };
  if (!Cursor::reading && type == 2) swap_groups();
  for (std::size_t i = 0; i < size; ++i) {
    if (!cursor.number(ip[i])) return false;
  }
  if constexpr (Cursor::reading) {
    if (type == 2) swap_groups();
    address.ip = ip;
  }
  return cursor.number(address.port);
}

/// [count u32, 1..32][addresses].
template <class Cursor, class List>
bool walk_addresses(Cursor& cursor, List& list) {
  auto count = static_cast<std::uint32_t>(list.size());
  if (!cursor.number(count) || count < 1 || count > token_addresses_max) return false;
  if constexpr (Cursor::reading) list.resize(count);
  for (auto& address : list) {
    if (!walk_address(cursor, address)) return false;
  }
  return true;
}

}  // namespace perigee::transport
