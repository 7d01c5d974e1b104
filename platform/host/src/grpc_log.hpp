/// Redirects gRPC's own log lines.
#pragma once

namespace perigee::host {

/// Sends them to our log at level debug, because they would bury our lines. gRPC itself would write
/// them to standard error, and block on the reader of standard error.
void quieten_grpc();

}  // namespace perigee::host
