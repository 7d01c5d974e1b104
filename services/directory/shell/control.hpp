/// The gRPC service for operators' requests to the directory.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "directory.grpc.pb.h"
#include "perigee/host/audit_log.hpp"
#include "service.hpp"

namespace perigee::directory {

class Control final : public v1::DirectoryControl::Service {
 public:
  /// Both outlive it.
  Control(directory::Service& service, host::AuditLog& audit) : service_(service), audit_(audit) {}

  grpc::Status SplitRegion(grpc::ServerContext*, const v1::SplitRegionRequest* request,
                           v1::SplitRegionReply* reply) override;
  grpc::Status MergeRegion(grpc::ServerContext*, const v1::MergeRegionRequest* request,
                           v1::MergeRegionReply*) override;
  grpc::Status MoveRegion(grpc::ServerContext*, const v1::MoveRegionRequest* request,
                          v1::MoveRegionReply*) override;
  grpc::Status DrainWorker(grpc::ServerContext*, const v1::DrainWorkerRequest* request,
                           v1::DrainWorkerReply*) override;
  grpc::Status UndrainWorker(grpc::ServerContext*, const v1::UndrainWorkerRequest* request,
                             v1::UndrainWorkerReply*) override;
  grpc::Status KillWorker(grpc::ServerContext*, const v1::KillWorkerRequest* request,
                          v1::KillWorkerReply* reply) override;
  grpc::Status ResolveIncarnation(grpc::ServerContext*,
                                  const v1::ResolveIncarnationRequest* request,
                                  v1::ResolveIncarnationReply*) override;
  grpc::Status SetBalance(grpc::ServerContext*, const v1::SetBalanceRequest* request,
                          v1::SetBalanceReply*) override;
  grpc::Status SetRate(grpc::ServerContext*, const v1::SetRateRequest* request,
                       v1::SetRateReply*) override;
  grpc::Status ChangeFabricKeys(grpc::ServerContext* context,
                                const v1::ChangeFabricKeysRequest* request,
                                v1::ChangeFabricKeysReply*) override;

 private:
  using Order = std::function<std::optional<Error>(Core&, Micros)>;
  grpc::Status order(const grpc::ServerContext& context, std::string_view act,
                     const google::protobuf::Message& request, const Order& done);

  directory::Service& service_;  // the base class has that name, too
  host::AuditLog& audit_;
};

}  // namespace perigee::directory
