/// The gRPC service of a worker. Status is answered on gRPC's threads from a copy that the loop
/// renews; the other calls use no thread of the server.
#pragma once

#include <mutex>

#include "observation_feed.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "recorder_calls.hpp"
#include "sim.grpc.pb.h"

namespace perigee::worker {

class Service final
    : public sim::v1::Sim::WithCallbackMethod_Observe<sim::v1::Sim::WithCallbackMethod_ArmRecorder<
          sim::v1::Sim::WithCallbackMethod_ListRecordings<
              sim::v1::Sim::WithCallbackMethod_FetchRecording<sim::v1::Sim::Service>>>> {
 public:
  /// For the directory's probes, operators and viewers. Requests are empty.
  static constexpr host::GrpcLimits limits{.connections_max = 64,
                                           .calls_max = 32 + ObservationFeed::viewers_max,
                                           .calls_per_connection_max = 16,
                                           .request_bytes_max = 1'024,
                                           .threads_max = 48,
                                           .memory_bytes_max = 16U << 20U};

  Service(ObservationFeed& observations, RecorderCalls& recorder_calls)
      : observations_(observations), recorder_calls_(recorder_calls) {}

  grpc::ServerWriteReactor<sim::v1::Observation>* Observe(grpc::CallbackServerContext* context,
                                                          const sim::v1::ObserveRequest*) override {
    return observations_.add(*context);
  }
  grpc::ServerUnaryReactor* ArmRecorder(grpc::CallbackServerContext* context,
                                        const sim::v1::ArmRecorderRequest* request,
                                        sim::v1::ArmRecorderReply* reply) override {
    return recorder_calls_.arm(*context, *request, *reply);
  }
  grpc::ServerUnaryReactor* ListRecordings(grpc::CallbackServerContext* context,
                                           const sim::v1::ListRecordingsRequest*,
                                           sim::v1::ListRecordingsReply* reply) override {
    return recorder_calls_.list(*context, *reply);
  }
  grpc::ServerUnaryReactor* FetchRecording(grpc::CallbackServerContext* context,
                                           const sim::v1::FetchRecordingRequest* request,
                                           sim::v1::FetchRecordingReply* reply) override {
    return recorder_calls_.fetch(*context, *request, *reply);
  }
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
  ObservationFeed& observations_;
  RecorderCalls& recorder_calls_;
  std::mutex mutex_;
  sim::v1::StatusReply status_;
};

}  // namespace perigee::worker
