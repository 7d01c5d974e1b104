/// What every process with gRPC ports exports of them.
#pragma once

#include <array>
#include <initializer_list>

#include "perigee/host/grpc_server.hpp"
#include "perigee/host/metrics.hpp"

namespace perigee::host {

class GrpcTable {
 public:
  explicit GrpcTable(Metrics& metrics);
  /// Brings the counters up to what these servers have counted.
  void show(std::initializer_list<const GrpcServer*> servers);

 private:
  enum class Family : std::uint8_t { Closed, last = Closed };
  CounterTable<Family> counts_;
};

}  // namespace perigee::host
