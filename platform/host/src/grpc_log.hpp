/// Redirects gRPC's own log lines.
#pragma once

namespace perigee::host {

/// Sends them to our log at level debug: they would bury our lines, and gRPC itself would write
/// them to standard error and block on its reader.
void quieten_grpc();

}  // namespace perigee::host
