/// The two gRPC services: one for players, one for gateways and operators.
#pragma once

#include <cstddef>
#include <memory>

#include "log_in_threads.hpp"
#include "perigee/host/audit_log.hpp"
#include "perigee/host/grpc_limits.hpp"
#include "session.grpc.pb.h"
#include "session_server.hpp"

namespace perigee::session {

/// A callback service: a client that does not read the reply holds no thread.
class PlayerService final : public v1::Session::CallbackService {
 public:
  /// Open to unauthenticated clients. A request has a name of 32 bytes and a credential; server
  /// browsers and proxies add headers.
  static constexpr host::GrpcLimits limits{.connections_max = 256,
                                           .calls_max = 256,
                                           .calls_per_connection_max = 64,
                                           .request_bytes_max = 4'096,
                                           .answer_us_max = 20'000'000,
                                           .idle_us_max = 120'000'000,
                                           .unread_us_max = 20'000'000,
                                           .threads_max = 4,
                                           .memory_bytes_max = 16U << 20U,
                                           .reflection = false};

  /// `waiting_max`: log-ins at once if they wait for an authenticator; they get threads then.
  PlayerService(SessionServer& server, std::size_t waiting_max);
  grpc::ServerUnaryReactor* LogIn(grpc::CallbackServerContext* context,
                                  const v1::LogInRequest* request, v1::LogInReply* reply) override;

 private:
  SessionServer& server_;
  std::unique_ptr<LogInThreads> threads_;  ///< null: no log-in waits
};

class ControlService final : public v1::SessionControl::Service {
 public:
  static constexpr std::uint32_t page_rows_max = 1'000;
  /// For gateways and operators. The largest request is an order of techniques, or a gateway's
  /// report of a client's techniques: OrderBook::text_bytes_max each.
  static constexpr host::GrpcLimits limits{.connections_max = SessionServer::watchers_max + 56,
                                           .calls_max = 2 * SessionServer::watchers_max,
                                           .calls_per_connection_max = 32,
                                           .request_bytes_max = 4 * OrderBook::text_bytes_max,
                                           .resets_burst = 256,  // claims while the store stalls
                                           .resets_per_s = 64,
                                           .threads_max = 2 * SessionServer::watchers_max + 32};

  /// Both outlive it.
  ControlService(SessionServer& server, host::AuditLog& audit) : server_(server), audit_(audit) {}
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
  grpc::Status BanPlayer(grpc::ServerContext*, const v1::BanPlayerRequest* request,
                         v1::BanPlayerReply* reply) override;
  grpc::Status UnbanPlayer(grpc::ServerContext*, const v1::UnbanPlayerRequest* request,
                           v1::UnbanPlayerReply*) override;
  grpc::Status ListBans(grpc::ServerContext*, const v1::ListBansRequest* request,
                        v1::ListBansReply* reply) override;
  grpc::Status OrderTechniques(grpc::ServerContext*, const v1::OrderTechniquesRequest* request,
                               v1::OrderTechniquesReply* reply) override;

 private:
  grpc::Status end(const v1::EndSessionRequest& request, SessionState state,
                   v1::EndSessionReply& reply);
  grpc::Status ban(const v1::BanPlayerRequest* request, v1::BanPlayerReply* reply);
  grpc::Status unban(const v1::UnbanPlayerRequest* request);
  grpc::Status order(const v1::OrderTechniquesRequest* request, v1::OrderTechniquesReply* reply);

  SessionServer& server_;
  host::AuditLog& audit_;
};

}  // namespace perigee::session
