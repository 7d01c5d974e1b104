/// Protocol versions that processes of different builds must agree on to be in one cluster.
#pragma once

#include <cstdint>

#include "perigee/base/fabric.hpp"

namespace perigee {

/// Version of the messages on links between workers and of their meaning. Raise it with each change
/// of section 5 of proto/WIRE.md, or of a worker's handling of a group, a log or a ghost that it
/// receives.
inline constexpr std::uint8_t workers_version = 13;

/// The versions that one process speaks. A process that reports no versions is of a build before
/// version 2, and speaks version 1.
struct Speaks {
  std::uint32_t fabric = fabric_version;    ///< gateways and workers
  std::uint32_t workers = workers_version;  ///< workers only
  friend bool operator==(const Speaks&, const Speaks&) = default;
};

}  // namespace perigee
