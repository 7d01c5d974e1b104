/// The gateway's core without sockets: the cost of a call, with and without its cryptography.
#pragma once

#include "bench/common/suite.hpp"

namespace perigee::bench {

/// `inputs_core_ns`, `snapshots_core_ns`: one datagram through gateway::Core; `..._crypto_ns`: the
/// part that opens or seals it; `..._pipeline_ns`: the rest.
void measure_pipeline(const Run& run, Figures& figures);

}  // namespace perigee::bench
