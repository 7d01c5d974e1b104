#include "service.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "perigee/base/wire_client.hpp"

namespace perigee::rooms {
namespace {

grpc::Status status_of(Refusal refusal) {
  const std::string sentence(to_sentence(refusal));
  switch (refusal) {
    case Refusal::Stopping:
      return {grpc::StatusCode::UNAVAILABLE, sentence};
    case Refusal::RoomsFull:
    case Refusal::Overloaded:
    case Refusal::RoomFull:
    case Refusal::ClientsFull:
      return {grpc::StatusCode::RESOURCE_EXHAUSTED, sentence};
    case Refusal::NoSuchStage:
    case Refusal::TooLong:
    case Refusal::PlayersMax:
      return {grpc::StatusCode::INVALID_ARGUMENT, sentence};
    case Refusal::NoSuchRoom:
    case Refusal::NoSuchPlayer:
      return {grpc::StatusCode::NOT_FOUND, sentence};
    case Refusal::RoomEnded:
      return {grpc::StatusCode::FAILED_PRECONDITION, sentence};
  }
  return {grpc::StatusCode::INTERNAL, sentence};
}

void write(const RoomFigures& room, v1::Room& out) {
  out.set_room(room.id.number);
  out.set_key(room.plan.key);
  out.set_stage(room.plan.stage);
  out.set_label(room.plan.label);
  out.set_state(std::string(to_text(room.state)));
  out.set_end_reason(std::string(to_text(room.end_reason)));
  out.set_game_reason(room.game_reason);
  out.set_players(room.players);
  out.set_players_max(room.plan.players_max);
  out.set_entities(room.entities);
  out.set_began_unix_s(static_cast<std::int64_t>(room.began_unix_s));
  out.set_ended_unix_s(static_cast<std::int64_t>(room.ended_unix_s));
  out.set_tick_p50_ms(static_cast<double>(room.tick_p50_us) * 1e-3);
  out.set_tick_p99_ms(static_cast<double>(room.tick_p99_us) * 1e-3);
  out.set_records_lost(room.records_lost);
}

grpc::Status answer(const std::variant<RoomFigures, Refusal>& became, v1::Room& reply) {
  if (const auto* refused = std::get_if<Refusal>(&became)) return status_of(*refused);
  write(std::get<RoomFigures>(became), reply);
  return grpc::Status::OK;
}

/// Keys and labels are in log lines and lists. They are UTF-8: protobuf refuses other strings.
bool is_plain(std::string_view text) {
  std::uint8_t former = 0;
  for (const char each : text) {
    const auto c = static_cast<std::uint8_t>(each);
    if (c < ' ' || c == 127) return false;
    if (former == 0xC2 && c < 0xA0) return false;  // U+0080 to U+009F: control characters
    former = c;
  }
  return true;
}

}  // namespace

grpc::ServerUnaryReactor* Service::on_loop(grpc::CallbackServerContext* context,
                                           std::function<grpc::Status()> answer) {
  auto* reactor = context->DefaultReactor();
  if (const auto call = calls_.open(reactor)) {
    needs_.loop.post([this, call, answer = std::move(answer)] { calls_.finish(call, answer()); });
  }
  return reactor;
}

grpc::ServerUnaryReactor* Service::in_a_turn(grpc::CallbackServerContext* context,
                                             std::function<grpc::Status()> answer) {
  auto* reactor = context->DefaultReactor();
  if (const auto call = calls_.open(reactor)) {
    needs_.loop.post([this, call, answer = std::move(answer)]() mutable {
      orders_.add([this, call, answer = std::move(answer)] { calls_.finish(call, answer()); });
    });
  }
  return reactor;
}

std::function<grpc::Status()> Service::audited(const grpc::CallbackServerContext& context,
                                               const host::CallRights& rights, std::string_view act,
                                               const google::protobuf::Message& request,
                                               std::function<grpc::Status()> answer) {
  auto entry = host::AuditLog::begun(context.peer(), act, request);
  // On this thread: a caller without the right costs the loop no access to the disk.
  const grpc::Status may = needs_.audit.admit(context.peer(), rights, entry);
  if (!may.ok()) return [may] { return may; };
  return [this, entry = std::move(entry), answer = std::move(answer)] {
    grpc::Status status = answer();
    needs_.audit.note(entry, status);
    return status;
  };
}

std::function<grpc::Status()> Service::checked(const grpc::CallbackServerContext& context,
                                               const host::CallRights& rights,
                                               std::function<grpc::Status()> answer) {
  const grpc::Status may = host::may_call(context.peer(), rights);
  if (may.ok()) return answer;
  return [may] { return may; };
}

grpc::ServerUnaryReactor* Service::CreateRoom(grpc::CallbackServerContext* context,
                                              const v1::CreateRoomRequest* request,
                                              v1::Room* reply) {
  RoomPlan plan = needs_.defaults;
  plan.key = request->key();
  plan.label = request->label();
  if (!request->stage().empty()) plan.stage = request->stage();
  plan.players_max = request->players_max();
  if (request->has_empty_s()) plan.empty_s = request->empty_s();
  if (request->has_unused_s()) plan.unused_s = request->unused_s();
  plan.life_s = request->life_s();
  auto create = [this, plan = std::move(plan), reply]() -> grpc::Status {
    if (!is_plain(plan.key) || !is_plain(plan.label)) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "a key and a label have no control characters"};
    }
    return answer(needs_.runner.create(plan), *reply);
  };
  return in_a_turn(context, audited(*context, host::rights::operators_map, "CreateRoom", *request,
                                    std::move(create)));
}

grpc::ServerUnaryReactor* Service::EndRoom(grpc::CallbackServerContext* context,
                                           const v1::EndRoomRequest* request, v1::Room* reply) {
  auto end = [this, room = RoomId{request->room()}, reply] {
    return answer(needs_.runner.end(room), *reply);
  };
  return in_a_turn(
      context, audited(*context, host::rights::operators_map, "EndRoom", *request, std::move(end)));
}

grpc::ServerUnaryReactor* Service::ListRooms(grpc::CallbackServerContext* context,
                                             const v1::ListRoomsRequest* request,
                                             v1::ListRoomsReply* reply) {
  return on_loop(context, checked(*context, host::rights::operators_read,
                                  [this, request, reply] { return list(*request, *reply); }));
}

grpc::ServerUnaryReactor* Service::Invite(grpc::CallbackServerContext* context,
                                          const v1::InviteRequest* request,
                                          v1::InviteReply* reply) {
  return on_loop(context, audited(*context, host::rights::operators_players, "Invite", *request,
                                  [this, request, reply] { return invite(*request, *reply); }));
}

grpc::ServerUnaryReactor* Service::RemovePlayer(grpc::CallbackServerContext* context,
                                                const v1::RemovePlayerRequest* request,
                                                v1::RemovePlayerReply* /*reply*/) {
  auto remove = [this, room = RoomId{request->room()}, player = request->player_id()] {
    const auto refused = needs_.runner.remove_player(room, player);
    return refused ? status_of(*refused) : grpc::Status::OK;
  };
  return on_loop(context, audited(*context, host::rights::operators_players, "RemovePlayer",
                                  *request, std::move(remove)));
}

grpc::Status Service::list(const v1::ListRoomsRequest& request, v1::ListRoomsReply& reply) const {
  std::uint64_t before = ~std::uint64_t{0};
  if (const std::string& token = request.page_token(); !token.empty()) {
    const auto [end, code] = std::from_chars(token.data(), token.data() + token.size(), before);
    if (code != std::errc{} || end != token.data() + token.size()) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "page_token is not from a former page"};
    }
  }
  const Host& host = needs_.runner.host();
  std::vector<RoomId> ids;
  host.for_each_id(request.open_only(), [&](RoomId id) {
    if (id.number < before) ids.push_back(id);
  });
  std::sort(ids.begin(), ids.end(), [](RoomId a, RoomId b) { return b < a; });
  const std::size_t page =
      request.page_size() == 0 ? page_rows_max : std::min(request.page_size(), page_rows_max);
  const bool more = ids.size() > page;
  if (more) ids.resize(page);
  for (const RoomId id : ids) {
    if (const auto room = host.figures(id)) write(*room, *reply.add_rooms());
  }
  if (more) reply.set_next_page_token(std::to_string(ids.back().number));
  reply.set_address(to_string(host.settings().address));
  reply.set_schema_hash(host.schema_hash());
  return grpc::Status::OK;
}

grpc::Status Service::invite(const v1::InviteRequest& request, v1::InviteReply& reply) {
  const Host& host = needs_.runner.host();
  if (request.wire_version() != 0 && request.wire_version() != wire_version) {
    return {grpc::StatusCode::FAILED_PRECONDITION,
            "the player's client speaks wire version " + std::to_string(request.wire_version()) +
                ", this process " + std::to_string(wire_version) + "; update the older one"};
  }
  if (request.schema_hash() != 0 && request.schema_hash() != host.schema_hash()) {
    return {grpc::StatusCode::FAILED_PRECONDITION,
            "the player's client has another version of the game; update the older one"};
  }
  const auto invited = needs_.runner.invite(
      RoomId{request.room()},
      {.name = request.name(), .player_id = request.player_id(), .claims = request.claims()});
  if (const auto* refused = std::get_if<Refusal>(&invited)) return status_of(*refused);
  const auto& token = std::get<transport::ConnectToken>(invited);
  reply.set_connect_token(token.data(), token.size());
  reply.set_address(to_string(host.settings().address));
  return grpc::Status::OK;
}

}  // namespace perigee::rooms
