/// Converts the cluster map from and to its protobuf message.
#pragma once

#include "perigee/base/cluster_map.hpp"
#include "perigee/base/result.hpp"
#include "perigee/base/speaks.hpp"

namespace perigee::directory::v1 {
class ClusterMap;
}

namespace perigee::host {

/// Names and gRPC addresses are not part of ClusterMap: the caller fills them in afterwards.
void write_map(const ClusterMap& map, directory::v1::ClusterMap& message);
/// A map that breaks its own limits (slots, addresses, owners) is rejected as a whole.
Result<ClusterMap> read_map(const directory::v1::ClusterMap& message);
/// Protocol versions as a member reports them; 0: the member does not report any.
Speaks read_speaks(std::uint32_t fabric, std::uint32_t workers);

}  // namespace perigee::host
