/// Metrics of a process's gRPC ports.
#pragma once

#include <initializer_list>

#include "perigee/host/grpc_server.hpp"
#include "perigee/host/metrics.hpp"

namespace perigee::host {

struct GrpcMetrics : MetricTable<GrpcMetrics> {
  CounterOf<GrpcBreach> connections_closed = counters<GrpcBreach>(
      {.name = "grpc_connections_closed_total",
       .label = "reason",
       .help = "Connections to gRPC ports closed because they exceeded a limit.",
       .note = "`sum by (process, reason) (rate(perigee_grpc_connections_closed_total[5m])) > 0`: "
               "a gRPC port is attacked, or a client is broken; see process and reason "
               "([limits](security.md#grpc-ports)). crowded: a port has its maximum of "
               "connections, and the address with most connections or calls loses one. idle: "
               "connections after a log-in; harmless"},
      names_of(grpc_breach_rows));
};

class GrpcTable {
 public:
  explicit GrpcTable(Metrics& metrics);
  /// Updates the counters to the servers' counts.
  void show(std::initializer_list<const GrpcServer*> servers);

 private:
  MetricSeries<GrpcMetrics> series_;
};

}  // namespace perigee::host
