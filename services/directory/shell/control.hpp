/// The gRPC service for operators' requests to the directory.
#pragma once

#include "directory.grpc.pb.h"
#include "service.hpp"

namespace perigee::directory {

class Control final : public v1::DirectoryControl::Service {
 public:
  /// `service` outlives it.
  explicit Control(directory::Service& service) : service_(service) {}

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
  grpc::Status ChangeFabricKeys(grpc::ServerContext*, const v1::ChangeFabricKeysRequest*,
                                v1::ChangeFabricKeysReply*) override;

 private:
  directory::Service& service_;  // the base class has that name, too
};

}  // namespace perigee::directory
