/// What processes of different builds have to agree on to be in one cluster.
#pragma once

#include <cstdint>

#include "perigee/netcode/fabric.hpp"

namespace perigee {

/// Of what workers say over their links, and of what they mean by it: raised with each change of
/// section 5 of proto/WIRE.md, or of what a worker does with a group, a log or a ghost that it was
/// given.
inline constexpr std::uint8_t workers_version = 4;

/// The versions that one process speaks. Who does not say any is of a build before there was a
/// second one: 1.
struct Speaks {
  std::uint32_t fabric = fabric_version;    ///< gateways and workers
  std::uint32_t workers = workers_version;  ///< workers only
  friend bool operator==(const Speaks&, const Speaks&) = default;
};

}  // namespace perigee
