/// The cluster map between its plain form and its message.
#pragma once

#include "perigee/netcode/cluster_map.hpp"
#include "perigee/netcode/result.hpp"

namespace perigee::directory::v1 {
class ClusterMap;
}

namespace perigee::host {

/// Names and gRPC addresses are not part of the plain map: who knows them fills them in afterwards.
void write_map(const ClusterMap& map, directory::v1::ClusterMap& message);
/// A map that breaks its own limits (slots, addresses, owners) is refused as a whole.
Result<ClusterMap> read_map(const directory::v1::ClusterMap& message);

}  // namespace perigee::host
