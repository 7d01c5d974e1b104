/// Sim.Status: answered on gRPC's threads from a copy that the loop renews.
#pragma once

#include <mutex>

#include "sim.grpc.pb.h"

namespace perigee::worker {

class Service final : public sim::v1::Sim::Service {
 public:
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
