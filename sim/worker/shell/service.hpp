/// Sim.Status: answered on gRPC's threads from a copy that the loop renews.
#pragma once

#include <mutex>

#include "perigee/host/grpc_limits.hpp"
#include "sim.grpc.pb.h"

namespace perigee::worker {

class Service final : public sim::v1::Sim::Service {
 public:
  /// For the directory's probes and operators. Requests are empty.
  static constexpr host::GrpcLimits limits{.connections_max = 64,
                                           .calls_max = 32,
                                           .calls_per_connection_max = 16,
                                           .request_bytes_max = 1'024,
                                           .threads_max = 48,
                                           .memory_bytes_max = 16U << 20U};

  grpc::Status Status(grpc::ServerContext*, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply* reply) override {
    const std::lock_guard lock(mutex_);
    *reply = status_;
    return grpc::Status::OK;
  }
  void show(sim::v1::StatusReply status) {
    const std::lock_guard lock(mutex_);
    status_.Swap(&status);
  }

 private:
  std::mutex mutex_;
  sim::v1::StatusReply status_;
};

}  // namespace perigee::worker
