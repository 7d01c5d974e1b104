/// Whether a worker answers at all.
#pragma once

#include <chrono>

#include "perigee/netcode/address.hpp"

namespace perigee::directory {

/// Blocks for `limit` at most. A process that is gone refuses at once; one that stands still does
/// not answer.
bool worker_answers(const Address& grpc, std::chrono::microseconds limit);

}  // namespace perigee::directory
