/// The header that a door, the relay for browsers, writes before each datagram to a gateway. It
/// names the player's address, and only holders of the key can make it. "Door header" in
/// proto/WIRE.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>

#include "perigee/base/address.hpp"
#include "perigee/transport/keys.hpp"

namespace perigee::transport {

inline constexpr std::size_t door_header_bytes = 35;
using DoorHeader = std::array<std::byte, door_header_bytes>;

/// Whether it is one of this version; says nothing about its sender.
bool is_door_header(std::span<const std::byte, door_header_bytes> header);
/// `door`: the address from which the door sends it.
DoorHeader seal_door_header(const Address& player, const Address& door, const Key& key);
/// The player's address; nothing if it was not sealed with this key for this sender.
std::optional<Address> open_door_header(std::span<const std::byte, door_header_bytes> header,
                                        const Address& door, const Key& key);

}  // namespace perigee::transport
