// For gateways and operators: claims, resume tokens, lists, ends.
#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "log_in.hpp"
#include "perigee/host/caller.hpp"
#include "perigee/host/log.hpp"
#include "service.hpp"

namespace perigee::session {
namespace {

grpc::Status unavailable(const Error& error) {
  return {grpc::StatusCode::UNAVAILABLE, error.message};
}

v1::ClaimTokenReply::Outcome outcome_of(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::Granted:
      return v1::ClaimTokenReply::GRANTED;
    case ClaimOutcome::Used:
      return v1::ClaimTokenReply::USED;
    case ClaimOutcome::Older:
      return v1::ClaimTokenReply::OLDER;
    case ClaimOutcome::Over:
      return v1::ClaimTokenReply::OVER;
    case ClaimOutcome::Unknown:
      return v1::ClaimTokenReply::UNKNOWN;
  }
  return v1::ClaimTokenReply::UNSPECIFIED;
}

std::string_view name_of(SessionState state) {
  constexpr std::string_view names[] = {"waiting", "playing", "lost", "left", "ended", "kicked"};
  return names[static_cast<std::size_t>(state)];
}

/// Format: "seconds-client", hexadecimal. None if this service has not made it.
std::optional<ListQuery::Cursor> read_page(std::string_view text) {
  ListQuery::Cursor cursor;
  const char* end = text.data() + text.size();
  const auto first =
      std::from_chars(text.data(), text.data() + text.size(), cursor.logged_in_s, 16);
  if (first.ec != std::errc{} || first.ptr == end || *first.ptr != '-') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, cursor.client_id, 16);
  if (second.ec != std::errc{} || second.ptr != end) return std::nullopt;
  return cursor;
}
std::string write_page(const Session& last) {
  char text[40];
  const auto first = std::to_chars(text, text + sizeof text, last.logged_in_s, 16);
  *first.ptr = '-';
  const auto second = std::to_chars(first.ptr + 1, text + sizeof text, last.client_id, 16);
  return {text, second.ptr};
}

void write_session(const Session& session, v1::SessionInfo& info) {
  info.set_client_id(session.client_id);
  info.set_player_name(session.player_name);
  info.set_gateway_address(to_string(session.gateway));
  info.set_region(session.region.number);
  info.set_logged_in_unix_s(static_cast<std::int64_t>(session.logged_in_s));
  info.set_state(std::string(name_of(session.state)));
  info.set_seen_unix_s(static_cast<std::int64_t>(session.seen_s));
  info.set_player_id(session.player_id);
}

}  // namespace

grpc::Status ControlService::ClaimToken(grpc::ServerContext* context,
                                        const v1::ClaimTokenRequest* request,
                                        v1::ClaimTokenReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  Claim claim{.client_id = request->client_id(),
              .issue = request->issue(),
              .expires_s = request->expires_unix_s(),
              .gateway_instance = request->gateway_instance(),
              .handshake = request->handshake()};
  if (request->token_tag().size() != claim.tag.size()) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a token's tag must have 16 bytes"};
  }
  const auto gateway = parse_address(request->gateway_address());
  if (!gateway) return {grpc::StatusCode::INVALID_ARGUMENT, gateway.error().message};
  claim.gateway = *gateway;
  std::transform(request->token_tag().begin(), request->token_tag().end(), claim.tag.begin(),
                 [](char message) { return static_cast<std::byte>(message); });
  const auto outcome = server_.claim(claim);
  if (!outcome) return unavailable(outcome.error());
  reply->set_outcome(outcome_of(*outcome));
  return grpc::Status::OK;
}

grpc::Status ControlService::IssueResumeToken(grpc::ServerContext* context,
                                              const v1::IssueResumeTokenRequest* request,
                                              v1::IssueResumeTokenReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  const auto answer = server_.issue_resume(request->client_id());
  if (const auto* refused = std::get_if<Refused>(&answer)) {
    return {code_of(refused->reason), refused->sentence};
  }
  const auto& resume = std::get<ResumeToken>(answer);
  reply->set_connect_token(resume.token.data(), resume.token.size());
  reply->set_expires_unix_s(resume.expires_s);
  return grpc::Status::OK;
}

grpc::Status ControlService::ReleaseSession(grpc::ServerContext* context,
                                            const v1::ReleaseSessionRequest* request,
                                            v1::ReleaseSessionReply*) {
  if (auto may = host::may_call(context->peer(), host::rights::gateways); !may.ok()) return may;
  const auto released =
      server_.release({.client_id = request->client_id(),
                       .gateway_instance = request->gateway_instance(),
                       .issue = request->issue(),
                       .state = request->lost() ? SessionState::Lost : SessionState::Left});
  return released ? grpc::Status::OK : unavailable(released.error());
}

grpc::Status ControlService::ListSessions(grpc::ServerContext* context,
                                          const v1::ListSessionsRequest* request,
                                          v1::ListSessionsReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::operators_read); !may.ok())
    return may;
  ListQuery query{
      .player_name = request->player_name(),
      .over_too = request->over_too(),
      .rows_max = request->page_size() == 0 ? 100 : std::min(request->page_size(), page_rows_max)};
  if (!request->page_token().empty()) {
    query.before = read_page(request->page_token());
    if (!query.before) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "page_token is not from a former page"};
    }
  }
  const auto sessions = server_.list(query);
  if (!sessions) return unavailable(sessions.error());
  for (const Session& session : *sessions) write_session(session, *reply->add_sessions());
  if (sessions->size() == query.rows_max) reply->set_next_page_token(write_page(sessions->back()));
  return grpc::Status::OK;
}

grpc::Status ControlService::end(const v1::EndSessionRequest& request, SessionState state,
                                 v1::EndSessionReply& reply) {
  const int whom = (request.client_id() != 0 ? 1 : 0) + (request.player_name().empty() ? 0 : 1) +
                   (request.player_id() != 0 ? 1 : 0);
  if (whom != 1) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "set one of client_id, player_name and player_id"};
  }
  const auto ended = server_.end({.client_id = request.client_id(),
                                  .player_name = request.player_name(),
                                  .player_id = request.player_id()},
                                 state);
  if (!ended) return unavailable(ended.error());
  if (ended->empty()) {
    return {grpc::StatusCode::NOT_FOUND, "no player of that name or id is in a session"};
  }
  reply.mutable_client_ids()->Add(ended->begin(), ended->end());
  for (const std::uint64_t client_id : *ended) {
    host::log_info(state == SessionState::Kicked ? "kicked" : "ended", {{"client", client_id}});
  }
  return grpc::Status::OK;
}

grpc::Status ControlService::EndSession(grpc::ServerContext* context,
                                        const v1::EndSessionRequest* request,
                                        v1::EndSessionReply* reply) {
  return audit_.run(context->peer(), host::rights::operators_players, "EndSession", *request,
                    [&] { return end(*request, SessionState::Ended, *reply); });
}

grpc::Status ControlService::KickSession(grpc::ServerContext* context,
                                         const v1::EndSessionRequest* request,
                                         v1::EndSessionReply* reply) {
  return audit_.run(context->peer(), host::rights::operators_players, "KickSession", *request,
                    [&] { return end(*request, SessionState::Kicked, *reply); });
}

}  // namespace perigee::session
