/// Converts keys of the fabric from and to their protobuf message.
#pragma once

#include "perigee/base/fabric_keys.hpp"
#include "perigee/base/result.hpp"

namespace perigee::directory::v1 {
class FabricKeys;
}

namespace perigee::host {

void write_fabric_keys(const FabricKeys& keys, directory::v1::FabricKeys& message);
/// The message says nothing about the cluster: the caller knows it.
Result<FabricKeys> read_fabric_keys(const directory::v1::FabricKeys& message,
                                    std::uint32_t cluster_id);

}  // namespace perigee::host
