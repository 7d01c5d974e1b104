/// Where gRPC's own lines go.
#pragma once

namespace perigee::host {

/// They go to our log, at level debug: they would bury our lines, and gRPC itself would write them
/// to standard error and wait for its reader.
void quieten_grpc();

}  // namespace perigee::host
