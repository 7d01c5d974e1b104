/// Metrics of a process's gRPC ports.
#pragma once

#include <initializer_list>

#include "perigee/host/cluster_tls.hpp"
#include "perigee/host/grpc_server.hpp"
#include "perigee/host/metrics.hpp"

namespace perigee::host {

struct GrpcMetrics : MetricTable<GrpcMetrics> {
  Gauge connections = gauge(
      {.name = "grpc_connections",
       .help = "Connections to gRPC ports; closed ones count until gRPC has removed them.",
       .note = "`sum by (job) (perigee_grpc_connections)`: each member has a few. Near a port's "
               "[limit](security.md#grpc-ports): see `perigee_grpc_connections_closed_total`, "
               "reason crowded"});
  CounterOf<GrpcBreach> connections_closed = counters<GrpcBreach>(
      {.name = "grpc_connections_closed_total",
       .label = "reason",
       .help = "Connections to gRPC ports closed because they exceeded a limit.",
       .note = "`sum by (job, reason) (rate(perigee_grpc_connections_closed_total[5m])) > 0`: "
               "a gRPC port is attacked, or a client is broken; see job and reason "
               "([limits](security.md#grpc-ports)). crowded: a port has its maximum of "
               "connections, and the address with most connections or calls loses one. idle: "
               "connections after a log-in; harmless"},
      names_of(grpc_breach_rows));
  Gauge certificate_expires = gauge(
      {.name = "certificate_expires_unix_seconds",
       .help =
           "End of the certificate that this process shows inside the cluster, in Unix time; 0: "
           "it has none.",
       .note = "`perigee_certificate_expires_unix_seconds - time() < 7 * 86400`: renew it "
               "([certificates](certificates.md)); after its end nobody talks to this process"});
};

class GrpcTable {
 public:
  explicit GrpcTable(Metrics& metrics);
  /// Updates the metrics to the servers' counts. `tls`: null: the process has no certificate.
  void show(std::initializer_list<const GrpcServer*> servers, const ClusterTls* tls);

 private:
  MetricSeries<GrpcMetrics> series_;
};

}  // namespace perigee::host
