#include "service.hpp"

#include <utility>

#include "perigee/host/log.hpp"
#include "perigee/host/loop.hpp"

namespace perigee::session {
namespace {

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
    case Refusal::NoWorld:
    case Refusal::NoRegion:
    case Refusal::NoGateway:
      return grpc::StatusCode::UNAVAILABLE;
  }
  return grpc::StatusCode::INTERNAL;
}

LogInRequest read_request(const v1::LogInRequest& from) {
  LogInRequest request{.player_name = from.player_name(),
                       .credential = from.credential(),
                       .wire_version = from.wire_version(),
                       .schema_hash = from.schema_hash()};
  if (from.has_wanted_region()) request.wanted_region = from.wanted_region();
  return request;
}

}  // namespace

Service::Service(Core core) : core_(std::move(core)) {}

grpc::Status Service::LogIn(grpc::ServerContext*, const v1::LogInRequest* message,
                            v1::LogInReply* reply) {
  const LogInRequest request = read_request(*message);
  const auto now_unix_s = static_cast<std::uint64_t>(host::Loop::wall_us() / 1'000'000);
  const std::lock_guard lock(mutex_);
  const auto answer = core_.log_in(now_unix_s, request, map_);
  if (const auto* refusal = std::get_if<Refusal>(&answer)) {
    ++counts_.refused[static_cast<std::size_t>(*refusal)];
    return {code_of(*refusal), Core::describe(*refusal, request, map_)};
  }
  const Admitted& admitted = std::get<Admitted>(answer);
  ++counts_.admitted;
  reply->set_connect_token(admitted.token.data(), admitted.token.size());
  reply->set_client_id(admitted.client_id);
  reply->set_gateway_address(to_string(admitted.gateway));
  reply->set_tick_rate_hz(admitted.tick_rate_hz);
  host::log_info("logged in", {{"client", admitted.client_id},
                               {"name", request.player_name},
                               {"gateway", to_string(admitted.gateway)},
                               {"region", admitted.region}});
  return grpc::Status::OK;
}

grpc::Status Service::ListSessions(grpc::ServerContext*, const v1::ListSessionsRequest*,
                                   v1::ListSessionsReply* reply) {
  const std::lock_guard lock(mutex_);
  const auto& sessions = core_.sessions();
  for (auto it = sessions.rbegin(); it != sessions.rend(); ++it) {
    if (reply->sessions_size() == listed_max) break;
    v1::SessionInfo& info = *reply->add_sessions();
    info.set_client_id(it->client_id);
    info.set_player_name(it->player_name);
    info.set_gateway_address(to_string(it->gateway));
    info.set_region(it->region);
    info.set_logged_in_unix_s(static_cast<std::int64_t>(it->logged_in_unix_s));
  }
  return grpc::Status::OK;
}

void Service::set_backend_key(const transport::Key& key) {
  const std::lock_guard lock(mutex_);
  core_.set_backend_key(key);
}

void Service::set_map(const ClusterMap& map) {
  const std::lock_guard lock(mutex_);
  map_ = map;
}

Service::Picture Service::picture() {
  const std::lock_guard lock(mutex_);
  Picture picture = counts_;
  picture.sessions = core_.sessions().size();
  picture.missing = Core::missing(map_);
  return picture;
}

}  // namespace perigee::session
