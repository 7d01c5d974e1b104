#include "perigee/host/grpc_metrics.hpp"

namespace perigee::host {
namespace {

constexpr GrpcMetrics grpc_metric;

}  // namespace

GrpcTable::GrpcTable(Metrics& metrics) : series_(metrics, grpc_metric) {}

void GrpcTable::show(std::initializer_list<const GrpcServer*> servers, const ClusterTls* tls) {
  std::size_t connections = 0;
  for (const GrpcServer* server : servers) connections += server->connections();
  series_.set(grpc_metric.connections, static_cast<double>(connections));
  for (std::size_t i = 0; i < enum_count<GrpcBreach>; ++i) {
    const auto breach = static_cast<GrpcBreach>(i);
    std::uint64_t sum = 0;
    for (const GrpcServer* server : servers) sum += server->breaches()[breach];
    series_.follow(grpc_metric.connections_closed[breach], sum);
  }
  series_.set(grpc_metric.certificate_expires,
              tls == nullptr ? 0 : static_cast<double>(tls->expires_unix_s()));
  series_.flush();
}

}  // namespace perigee::host
