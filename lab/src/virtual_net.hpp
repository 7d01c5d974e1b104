/// What the virtual cluster's parts know of their net.
#pragma once

#include <span>
#include <vector>

#include "perigee/netcode/address.hpp"

namespace perigee::lab {

inline constexpr Address gateway_public = Address::v4(10, 0, 0, 1, 40000);

using Bytes = std::vector<std::byte>;
inline Bytes copy_of(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace perigee::lab
