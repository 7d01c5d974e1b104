/// Checks whether a worker answers at all.
#pragma once

#include <chrono>

#include "perigee/base/address.hpp"
#include "perigee/host/cluster_tls.hpp"

namespace perigee::directory {

/// Blocks for at most `limit`. The port of a dead process refuses at once; a stalled process does
/// not answer.
bool worker_answers(const Address& grpc, std::chrono::microseconds limit,
                    const host::ClusterTls* tls);

}  // namespace perigee::directory
