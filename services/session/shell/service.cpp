// For players: log-ins over gRPC.
#include "service.hpp"

#include <utility>

#include "log_in.hpp"
#include "perigee/host/grpc_server.hpp"

namespace perigee::session {

grpc::ServerUnaryReactor* PlayerService::LogIn(grpc::CallbackServerContext* context,
                                               const v1::LogInRequest* request,
                                               v1::LogInReply* reply) {
  LogInAnswer answer = log_in(server_, host::client_address(context->peer()), *request);
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  if (const auto* refused = std::get_if<LogInFailure>(&answer)) {
    reactor->Finish({refused->code, refused->sentence});
  } else {
    *reply = std::move(std::get<v1::LogInReply>(answer));
    reactor->Finish(grpc::Status::OK);
  }
  return reactor;
}

}  // namespace perigee::session
