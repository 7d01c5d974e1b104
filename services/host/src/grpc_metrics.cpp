#include "perigee/host/grpc_metrics.hpp"

#include <string_view>

namespace perigee::host {
namespace {

constexpr auto reasons = [] {
  std::array<std::string_view, enum_count<GrpcBreach>> names{};
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = grpc_breach_rows[i].name;
  return names;
}();

}  // namespace

GrpcTable::GrpcTable(Metrics& metrics)
    : counts_(metrics, std::array{CounterRow<Family>{
                           Family::Closed,
                           "grpc_connections_closed_total",
                           "Connections to gRPC ports closed because they exceeded a limit.",
                           {"reason", reasons}}}) {}

void GrpcTable::show(std::initializer_list<const GrpcServer*> servers) {
  for (std::size_t i = 0; i < enum_count<GrpcBreach>; ++i) {
    std::uint64_t sum = 0;
    for (const GrpcServer* server : servers) sum += server->breaches()[static_cast<GrpcBreach>(i)];
    counts_.follow_labelled(Family::Closed, i, sum);
  }
  counts_.flush();
}

}  // namespace perigee::host
