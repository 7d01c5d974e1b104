/// The bytes that netcode adds to a payload towards a client.
#pragma once

#include <cstddef>

#include "perigee/transport/constants.hpp"

namespace perigee::bench {

/// Prefix, sequence, tag. A sequence has three bytes from the 65,536th payload of a session on.
inline constexpr std::size_t sealing_bytes = 1 + 3 + transport::tag_bytes;

}  // namespace perigee::bench
