// For operators: bans.
#include <algorithm>
#include <charconv>
#include <string>

#include "perigee/host/log.hpp"
#include "service.hpp"

namespace perigee::session {
namespace {

/// Format: "id-name", the id in hexadecimal. None if this service has not made it.
std::optional<BanName> read_ban_page(std::string_view text) {
  BanName after;
  const char* end = text.data() + text.size();
  const auto id = std::from_chars(text.data(), end, after.player_id, 16);
  if (id.ec != std::errc{} || id.ptr == end || *id.ptr != '-') return std::nullopt;
  after.player_name.assign(id.ptr + 1, end);
  return after;
}
std::string write_ban_page(const BanName& last) {
  char text[20];
  const auto id = std::to_chars(text, text + sizeof text, last.player_id, 16);
  return std::string(text, id.ptr) + "-" + last.player_name;
}

grpc::Status refuse_ban(const v1::BanPlayerRequest& request) {
  const int whom = (request.player_id() != 0 ? 1 : 0) + (request.player_name().empty() ? 0 : 1) +
                   (request.client_id() != 0 ? 1 : 0);
  if (whom != 1) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "set one of player_id, player_name and client_id"};
  }
  if (request.until_unix_s() < 0) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "until_unix_s is a unix time, or 0 for ever"};
  }
  if (request.reason().size() > ban_reason_bytes_max) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "a reason has at most 200 bytes"};
  }
  return grpc::Status::OK;
}

}  // namespace

grpc::Status ControlService::BanPlayer(grpc::ServerContext* context,
                                       const v1::BanPlayerRequest* request,
                                       v1::BanPlayerReply* reply) {
  return audit_.run(context->peer(), host::rights::operators_players, "BanPlayer", *request,
                    [&] { return ban(request, reply); });
}

grpc::Status ControlService::UnbanPlayer(grpc::ServerContext* context,
                                         const v1::UnbanPlayerRequest* request,
                                         v1::UnbanPlayerReply*) {
  return audit_.run(context->peer(), host::rights::operators_players, "UnbanPlayer", *request,
                    [&] { return unban(request); });
}

grpc::Status ControlService::ban(const v1::BanPlayerRequest* request, v1::BanPlayerReply* reply) {
  if (auto refused = refuse_ban(*request); !refused.ok()) return refused;
  const auto answer = server_.ban({.whom = {.client_id = request->client_id(),
                                            .player_name = request->player_name(),
                                            .player_id = request->player_id()},
                                   .until_s = static_cast<std::uint64_t>(request->until_unix_s()),
                                   .reason = request->reason()});
  if (!answer) return {grpc::StatusCode::UNAVAILABLE, answer.error().message};
  if (!*answer) {
    return {grpc::StatusCode::NOT_FOUND,
            "no session has that number; ban the player's id, or the name"};
  }
  const BanDone& done = **answer;
  reply->set_player_id(done.whom.player_id);
  reply->set_player_name(done.whom.player_name);
  reply->mutable_kicked_client_ids()->Add(done.kicked.begin(), done.kicked.end());
  host::log_info("banned", {{"player", done.whom.player_id},
                            {"name", done.whom.player_name},
                            {"until", request->until_unix_s()},
                            {"reason", request->reason()},
                            {"kicked", done.kicked.size()}});
  return grpc::Status::OK;
}

grpc::Status ControlService::unban(const v1::UnbanPlayerRequest* request) {
  if ((request->player_id() == 0) == request->player_name().empty()) {
    return {grpc::StatusCode::INVALID_ARGUMENT, "set either player_id or player_name"};
  }
  const auto gone = server_.unban({request->player_id(), request->player_name()});
  if (!gone) return {grpc::StatusCode::UNAVAILABLE, gone.error().message};
  if (!*gone) {
    return {grpc::StatusCode::NOT_FOUND,
            "there is no such ban; an account is unbanned by its id, a name by the name"};
  }
  host::log_info("unbanned", {{"player", request->player_id()}, {"name", request->player_name()}});
  return grpc::Status::OK;
}

grpc::Status ControlService::ListBans(grpc::ServerContext* context,
                                      const v1::ListBansRequest* request,
                                      v1::ListBansReply* reply) {
  if (auto may = host::may_call(context->peer(), host::rights::operators_read); !may.ok()) {
    return may;
  }
  std::optional<BanName> after;
  if (!request->page_token().empty()) {
    after = read_ban_page(request->page_token());
    if (!after) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "page_token is not from a former page"};
    }
  }
  const std::uint32_t rows_max =
      request->page_size() == 0 ? 100 : std::min(request->page_size(), page_rows_max);
  const auto bans = server_.bans(after, rows_max);
  if (!bans) return {grpc::StatusCode::UNAVAILABLE, bans.error().message};
  for (const Ban& ban : *bans) {
    v1::BanInfo& info = *reply->add_bans();
    info.set_player_id(ban.whom.player_id);
    info.set_player_name(ban.whom.player_name);
    info.set_made_unix_s(static_cast<std::int64_t>(ban.made_s));
    info.set_until_unix_s(static_cast<std::int64_t>(ban.until_s));
    info.set_reason(ban.reason);
  }
  if (bans->size() == rows_max) reply->set_next_page_token(write_ban_page(bans->back().whom));
  return grpc::Status::OK;
}

}  // namespace perigee::session
