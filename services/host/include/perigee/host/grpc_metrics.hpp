/// Metrics of a process's gRPC ports.
#pragma once

#include <array>
#include <initializer_list>

#include "perigee/host/grpc_server.hpp"
#include "perigee/host/metrics.hpp"

namespace perigee::host {

class GrpcTable {
 public:
  explicit GrpcTable(Metrics& metrics);
  /// Updates the counters to the servers' counts.
  void show(std::initializer_list<const GrpcServer*> servers);

 private:
  enum class Family : std::uint8_t { Closed, last = Closed };
  CounterTable<Family> counts_;
};

}  // namespace perigee::host
