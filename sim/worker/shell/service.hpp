/// The gRPC service of a worker. Status is answered on gRPC's threads from a copy that the loop
/// renews; the other calls use no thread of the server.
#pragma once

#include <mutex>
#include <utility>

#include "observation_feed.hpp"
#include "perigee/host/audit_log.hpp"
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

  /// All outlive it.
  Service(ObservationFeed& observations, RecorderCalls& recorder_calls, host::AuditLog& audit)
      : observations_(observations), recorder_calls_(recorder_calls), audit_(audit) {}

  grpc::ServerWriteReactor<sim::v1::Observation>* Observe(grpc::CallbackServerContext* context,
                                                          const sim::v1::ObserveRequest*) override {
    const auto may = host::may_call(context->peer(), host::rights::operators_read);
    if (!may.ok()) return observations_.refuse(may);
    return observations_.add(*context);
  }
  grpc::ServerUnaryReactor* ArmRecorder(grpc::CallbackServerContext* context,
                                        const sim::v1::ArmRecorderRequest* request,
                                        sim::v1::ArmRecorderReply* reply) override {
    auto entry = host::AuditLog::begun(context->peer(), "ArmRecorder", *request);
    const auto may = audit_.admit(context->peer(), host::rights::operators_players, entry);
    if (!may.ok()) return refused(*context, may);
    return recorder_calls_.arm(*context, *request, *reply, noting(std::move(entry)));
  }
  grpc::ServerUnaryReactor* ListRecordings(grpc::CallbackServerContext* context,
                                           const sim::v1::ListRecordingsRequest*,
                                           sim::v1::ListRecordingsReply* reply) override {
    const auto may = host::may_call(context->peer(), host::rights::operators_read);
    if (!may.ok()) return refused(*context, may);
    return recorder_calls_.list(*context, *reply);
  }
  grpc::ServerUnaryReactor* FetchRecording(grpc::CallbackServerContext* context,
                                           const sim::v1::FetchRecordingRequest* request,
                                           sim::v1::FetchRecordingReply* reply) override {
    auto entry = host::AuditLog::begun(context->peer(), "FetchRecording", *request);
    const auto may = audit_.admit(context->peer(), host::rights::operators_players, entry);
    if (!may.ok()) return refused(*context, may);
    // A page repeats those of an armed player once a second; that it was armed is written down.
    const bool repeated = request->what_case() != sim::v1::FetchRecordingRequest::kFile;
    return recorder_calls_.fetch(*context, *request, *reply,
                                 repeated ? nullptr : noting(std::move(entry)));
  }
  grpc::Status Status(grpc::ServerContext* context, const sim::v1::StatusRequest*,
                      sim::v1::StatusReply* reply) override {
    if (auto may = host::may_call(context->peer(), host::rights::readers); !may.ok()) return may;
    const std::lock_guard lock(mutex_);
    *reply = status_;
    return grpc::Status::OK;
  }
  void show(sim::v1::StatusReply status) {
    const std::lock_guard lock(mutex_);
    status_.Swap(&status);
  }

 private:
  static grpc::ServerUnaryReactor* refused(grpc::CallbackServerContext& context,
                                           const grpc::Status& why) {
    grpc::ServerUnaryReactor* const reactor = context.DefaultReactor();
    reactor->Finish(why);
    return reactor;
  }
  RecorderCalls::Ended noting(host::AuditLog::Entry entry) {
    return [this, entry = std::move(entry)](const grpc::Status& status) {
      audit_.note(entry, status);
    };
  }

  ObservationFeed& observations_;
  RecorderCalls& recorder_calls_;
  host::AuditLog& audit_;
  std::mutex mutex_;
  sim::v1::StatusReply status_;
};

}  // namespace perigee::worker
