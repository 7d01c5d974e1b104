/// The two gRPC faces of the desk: for players, and for gateways and operators.
#pragma once

#include "desk.hpp"
#include "session.grpc.pb.h"

namespace perigee::session {

class PlayerService final : public v1::Session::Service {
 public:
  explicit PlayerService(Desk& desk) : desk_(desk) {}
  grpc::Status LogIn(grpc::ServerContext* context, const v1::LogInRequest* request,
                     v1::LogInReply* reply) override;

 private:
  Desk& desk_;
};

class ControlService final : public v1::SessionControl::Service {
 public:
  static constexpr std::uint32_t page_rows_max = 1'000;

  explicit ControlService(Desk& desk) : desk_(desk) {}
  grpc::Status ClaimToken(grpc::ServerContext*, const v1::ClaimTokenRequest* request,
                          v1::ClaimTokenReply* reply) override;
  grpc::Status IssueResumeToken(grpc::ServerContext*, const v1::IssueResumeTokenRequest* request,
                                v1::IssueResumeTokenReply* reply) override;
  grpc::Status ReleaseSession(grpc::ServerContext*, const v1::ReleaseSessionRequest* request,
                              v1::ReleaseSessionReply*) override;
  grpc::Status WatchOrders(grpc::ServerContext* context, const v1::WatchOrdersRequest*,
                           grpc::ServerWriter<v1::Orders>* writer) override;
  grpc::Status ReportTechniques(grpc::ServerContext*, const v1::ReportTechniquesRequest* request,
                                v1::ReportTechniquesReply*) override;
  grpc::Status ListSessions(grpc::ServerContext*, const v1::ListSessionsRequest* request,
                            v1::ListSessionsReply* reply) override;
  grpc::Status EndSession(grpc::ServerContext*, const v1::EndSessionRequest* request,
                          v1::EndSessionReply* reply) override;
  grpc::Status KickSession(grpc::ServerContext*, const v1::EndSessionRequest* request,
                           v1::EndSessionReply* reply) override;
  grpc::Status OrderTechniques(grpc::ServerContext*, const v1::OrderTechniquesRequest* request,
                               v1::OrderTechniquesReply* reply) override;

 private:
  grpc::Status end(const v1::EndSessionRequest& request, SessionState state,
                   v1::EndSessionReply& reply);
  Desk& desk_;
};

}  // namespace perigee::session
