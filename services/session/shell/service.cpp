// For players: log-ins over gRPC.
#include "service.hpp"

#include <utility>

#include "log_in.hpp"
#include "perigee/host/grpc_server.hpp"

namespace perigee::session {

PlayerService::PlayerService(SessionServer& server, std::size_t waiting_max)
    : server_(server),
      threads_(server.log_in_waits() ? std::make_unique<LogInThreads>(waiting_max) : nullptr) {}

grpc::ServerUnaryReactor* PlayerService::LogIn(grpc::CallbackServerContext* context,
                                               const v1::LogInRequest* request,
                                               v1::LogInReply* reply) {
  const auto caller = host::caller_of(context->peer());
  const Address client = caller ? caller->address : Address{};
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  // Request and reply live until Finish().
  const auto run = [this, client, request, reply, reactor] {
    LogInAnswer answer = log_in(server_, client, *request);
    if (const auto* refused = std::get_if<LogInFailure>(&answer)) {
      return reactor->Finish({refused->code, refused->sentence});
    }
    *reply = std::move(std::get<v1::LogInReply>(answer));
    reactor->Finish(grpc::Status::OK);
  };
  if (!threads_) {
    run();
  } else if (!threads_->run(run)) {
    const Refused refused = server_.refuse_unasked();
    reactor->Finish({code_of(refused.reason), refused.sentence});
  }
  return reactor;
}

}  // namespace perigee::session
