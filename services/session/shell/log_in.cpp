#include "log_in.hpp"

#include "perigee/host/log.hpp"

namespace perigee::session {

grpc::StatusCode code_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::WireVersion:
    case Refusal::Schema:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case Refusal::BadName:
    case Refusal::UnknownRegion:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case Refusal::WrongCredential:
      return grpc::StatusCode::UNAUTHENTICATED;
    case Refusal::Banned:
      return grpc::StatusCode::PERMISSION_DENIED;
    case Refusal::AccountsAway:
    case Refusal::NoWorld:
    case Refusal::NoRegion:
    case Refusal::NoGateway:
    case Refusal::StoreFailed:
      return grpc::StatusCode::UNAVAILABLE;
    case Refusal::AddressOverRate:
    case Refusal::NameOverRate:
    case Refusal::AllOverRate:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case Refusal::NoSession:
      return grpc::StatusCode::NOT_FOUND;
  }
  return grpc::StatusCode::INTERNAL;
}

LogInAnswer log_in(SessionServer& server, const Address& client, const v1::LogInRequest& message) {
  LogInRequest request{.player_name = message.player_name(),
                       .credential = message.credential(),
                       .wire_version = message.wire_version(),
                       .schema_hash = message.schema_hash(),
                       .source = client};
  if (message.has_wanted_region()) request.wanted_region = RegionId{message.wanted_region()};
  const auto answer = server.log_in(request);
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    return LogInFailure{code_of(refused->reason), refused->sentence, refused->retry_after_s};
  }
  const Admitted& admitted = std::get<Admitted>(answer);
  v1::LogInReply reply;
  reply.set_connect_token(admitted.token.data(), admitted.token.size());
  reply.set_client_id(admitted.client_id);
  reply.set_gateway_address(to_string(admitted.gateway));
  reply.set_tick_rate_hz(admitted.tick_rate_hz);
  host::log_info("logged in", {{"client", admitted.client_id},
                               {"player", admitted.player_id},
                               {"name", admitted.player_name},
                               {"gateway", to_string(admitted.gateway)},
                               {"region", admitted.region.number}});
  return reply;
}

}  // namespace perigee::session
